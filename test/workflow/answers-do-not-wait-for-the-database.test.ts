import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bookActivity } from '../../activities/booking.js';
import type { BookingAttempt } from '../../src/contract/attempt.js';
import { carWriteWorkflowId } from '../../src/contract/car-write.js';
import { bookingWorkflowId } from '../../src/contract/names.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { PlatformCallError } from '../../src/platform/errors.js';
import type { CarWriteRows } from '../../src/store/cars/writes.js';
import { temporalBookings } from '../../src/temporal/client/bookings/bookings.js';
import { temporalCarWrites } from '../../src/temporal/client/cars/writes.js';
import { FakeAttempts } from '../support/attempts.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { noBookings } from '../support/fake-bookings.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Outage } from '../support/outage.js';
import { hour } from '../support/reservations.js';
import { noRoles } from '../support/roles.js';
import { startTestWorker } from '../support/test-worker.js';

let engine: TestDevServer;
let stopWorker: () => Promise<void>;
const taskQueue = `answers-${randomUUID()}`;
const platform = new FakePlatform();
const database = new Outage();
/** Called when a booking leaves, with the answer that it gets. */
let whileSent = () => {};
const applied: BookingAttempt = {
  outcome: 'applied',
  reservationId: 8_001,
  status: 'CONFIRMED',
  carNumber: '12가3456',
  pickupAt: hour,
  returnAt: 5 * hour,
};

async function platformAnswer(): Promise<object> {
  whileSent();
  const answer = platform.bookings.shift();
  if (answer?.outcome === 'applied') return answer;
  throw new PlatformCallError('TIMEOUT', 'no answer', { operation: 'book' });
}

beforeAll(async () => {
  engine = await devServer();
  const activities = database.over(platform.activities(), [
    ...(['audit', 'keepBooking', 'settleBooking', 'lookForBooking', 'tellReservation'] as const),
    ...(['raiseBookingAlert', 'clearBookingAlert'] as const),
  ]);
  const book = bookActivity({ book: () => platformAnswer() } as unknown as PlatformClient, {
    gate: noRoles.gate,
    attempts: new FakeAttempts(),
    client: engine.client,
    bookings: {
      ...noBookings,
      bookingStore: database.over(platform.bookingStore.bookingStore(), ['store', 'resolve']),
      // its reservation is notified elsewhere
      isClosed: async () => true,
    },
  });
  stopWorker = await startTestWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    activities: {
      ...activities,
      addCarMemo: async (memo: Parameters<typeof activities.addCarMemo>[0]) => {
        whileSent();
        return activities.addCarMemo(memo);
      },
      book,
    },
  });
}, 60_000);
afterAll(async () => {
  await stopWorker?.();
  await engine?.stop();
}, 60_000);
beforeEach(() => {
  database.end();
  whileSent = () => {};
});

/** Activities whose end the workflow knows. */
async function completed(workflowId: string): Promise<(string | null | undefined)[]> {
  const { events = [] } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return (
    events?.flatMap(({ activityTaskCompletedEventAttributes: end }) => {
      const asked = events.find(({ eventId }) => end && `${eventId}` === `${end.scheduledEventId}`);
      return asked?.activityTaskScheduledEventAttributes?.activityType?.name ?? [];
    }) ?? []
  );
}

const outages = ['is silent', 'refuses'] as const;

describe.each(outages)('a database that %s', (outage) => {
  it('delays no answer to a write on a car; its entry of the audit is written once the database is back', async () => {
    const known = { createdAt: Date.now(), result: null };
    const rows: CarWriteRows = { reserve: async () => ({ ...known, isSame: true }), find: async () => known };
    const writes = temporalCarWrites(engine.client, { rows, queue: taskQueue });
    const write = { kind: 'memo', carId: 1001, content: `tyres ${randomUUID()}` } as const;
    const start = { commandId: randomUUID(), by: 'kim', write };
    whileSent = () => {
      database.down = outage;
    };
    const answer = await writes.write(start);
    expect(answer).toMatchObject({ outcome: 'applied' });
    expect(platform.audits.map(({ commandId }) => commandId)).not.toContain(start.commandId);
    expect(await writes.find(start.commandId)).toEqual(answer);
    expect(await writes.write(start)).toEqual(answer);
    database.end();
    const handle = engine.client.workflow.getHandle(carWriteWorkflowId(start.commandId));
    expect(await handle.result()).toEqual(answer);
    expect(platform.audits.map(({ commandId }) => commandId)).toContain(start.commandId);
  });

  // a caller gets the same by a refusal, sooner
  describe.runIf(outage === 'is silent')('and a booking', () => {
    const options = { reads: platform.bookingStore.reads(), matchMs: hour, queue: taskQueue };
    const make = () => temporalBookings(engine.client, options);
    const aBooking = () => ({
      commandId: randomUUID(),
      by: 'channel-1',
      request: {
        productId: 7,
        startAt: hour,
        endAt: 5 * hour,
        pickupAddress: 'Station exit 3',
        driver: { name: 'A Person', birth: '19900101', phone: '0101', licenseNumber: '11', address: 'A' },
      },
    });
    const settlementsOf = (id: string) =>
      platform.bookingStore.settlements.filter(({ commandId }) => commandId === id);
    const endOf = (id: string) => engine.client.workflow.getHandle(bookingWorkflowId(id)).result();

    it('is answered with the platform’s answer, and resolved once the database is back', async () => {
      platform.bookings.push(applied);
      whileSent = () => {
        database.down = outage;
      };
      const booking = aBooking();
      expect(await make().book(booking)).toEqual(applied);
      expect(settlementsOf(booking.commandId)).toEqual([]);
      database.end();
      expect(await endOf(booking.commandId)).toEqual(applied);
      expect(settlementsOf(booking.commandId)).not.toEqual([]);
    });

    it('that is not stored yet is reported as on its way, and made once the database is back', async () => {
      platform.bookings.push(applied);
      const booking = aBooking();
      database.down = outage;
      expect(await make().book(booking)).toEqual({ outcome: 'pending' });
      expect(platform.bookings).toHaveLength(1);
      database.end();
      expect(await endOf(booking.commandId)).toEqual(applied);
    });

    it('whose answer was lost is reported as unknown, and its resolution takes effect once the database is back', async () => {
      const booking = aBooking();
      whileSent = () => {
        database.down = outage;
      };
      expect(await make().book(booking)).toMatchObject({ outcome: 'unknown', code: 'TIMEOUT' });
      const resolve = (settlementId: string) =>
        make().resolve(booking.commandId, {
          outcome: 'rejected',
          reason: 'asked the platform',
          by: 'lee',
          settlementId,
        });
      const refused = { kind: 'refused', refusal: { code: 'STORE_UNAVAILABLE' } };
      expect(await resolve('s-1')).toMatchObject(refused);
      database.end();
      await expect.poll(() => completed(bookingWorkflowId(booking.commandId))).toContain('lookForBooking');
      database.down = outage;
      expect(await resolve('s-2')).toMatchObject(refused);
      database.end();
      expect(await endOf(booking.commandId)).toMatchObject({ outcome: 'rejected', settledBy: 'person' });
      expect(settlementsOf(booking.commandId)).toContainEqual(
        expect.objectContaining({ person: expect.objectContaining({ settlementId: 's-2' }) }),
      );
      expect(await resolve('s-2')).toEqual({ kind: 'settled' });
    });
  });
});

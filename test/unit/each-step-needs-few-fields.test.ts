import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bookActivity } from '../../activities/booking.js';
import { carWriteActivities } from '../../activities/car.js';
import { scheduleActivities } from '../../activities/hold.js';
import { lookAheadActivity } from '../../activities/look-ahead.js';
import type { RoleDeps } from '../../activities/role.js';
import { scanActivities } from '../../activities/scan.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import type { OperationName } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { FakeAttempts } from '../support/attempts.js';
import { noBookings } from '../support/fake-bookings.js';
import { aCar, aMemo, aProduct } from '../support/fake-fleet.js';
import { httpPeer } from '../support/http-peer.js';
import { booking, clientOf } from '../support/platform-client.js';
import {
  at,
  type Kind,
  kinds,
  nameOf,
  type Path,
  placesOf,
  replaced,
  typeOf,
} from '../support/wire-mutations.js';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 22, 4);
const period = { start: now + hour, end: now + 2 * hour };
const carId = 1001;
const schedule = {
  scheduleId: 77,
  carId,
  scheduleType: 'S' as const,
  startAt: period.start,
  endAt: period.end,
  reason: 'brakes [hold a]',
};
const group = { carId, carNumber: '12가1001', detailModelName: 'A Model', schedules: [schedule] };
const related = { carId, carNumber: '12가1001', detailModelName: 'A Model', saleYn: 'Y' as const };
const answer = { reservationId: 5, status: 'CONFIRMED', carNumber: '1', pickupAt: now, returnAt: now };

const gate = { isSuspended: async () => false };
const roles = { gate } as unknown as RoleDeps;
const sending = { gate, attempts: new FakeAttempts(), client: {} as Client };
const place = { productId: 301, carId };

interface Step {
  does: string;
  reads: OperationName;
  /** What the platform answers. */
  of: unknown;
  run(client: PlatformClient): Promise<unknown>;
  /** Paths without which the step cannot be done; everything else may be of any type. */
  needs: string[];
}

const run = <Args extends unknown[], T>(activity: (...args: Args) => Promise<T>, ...args: Args): Promise<T> =>
  new MockActivityEnvironment(
    { ...execution, currentAttemptScheduledTimestampMs: Date.now(), startToCloseTimeoutMs: 60_000 },
    { logger },
  ).run(activity, ...args) as Promise<T>;
const execution = { workflowExecution: { workflowId: 'w', runId: 'r' } };
const logger = new DefaultLogger('ERROR');
const holds = (client: PlatformClient) => scheduleActivities(client, sending, () => {});
const writes = (client: PlatformClient) => carWriteActivities(client, sending, () => {});
const entry = { carId, period, reason: 'brakes' };

const steps: Step[] = [
  {
    does: 'a hold reads its car',
    reads: 'getCar',
    of: aCar(carId, { carOptionList: [] }),
    run: (client) => run(holds(client).readCar, { carId }),
    needs: ['carNumber'],
  },
  {
    does: 'a hold places its entry',
    reads: 'addSchedule',
    of: schedule,
    run: (client) => run(holds(client).addSchedule, entry),
    needs: ['scheduleId'],
  },
  {
    does: 'a hold changes its entry',
    reads: 'changeSchedule',
    of: schedule,
    run: (client) => run(holds(client).changeSchedule, { scheduleId: 77, ...entry }),
    needs: [],
  },
  {
    does: 'a hold reads its entry',
    reads: 'getSchedule',
    of: schedule,
    run: async (client) => {
      const seen = await run(holds(client).getSchedule, { scheduleId: 77 });
      // an unknown reason is shown as such
      return seen.kind === 'done' ? { ...seen, value: seen.value.period } : seen;
    },
    needs: ['startDateTimeStr', 'endDateTimeStr'],
  },
  {
    does: 'a hold searches for its entry',
    reads: 'listSchedules',
    of: { items: [group] },
    run: (client) =>
      run(scanActivities(client, roles).carSchedules, {
        carId,
        startDate: '2026-11-22',
        endDate: '2026-11-22',
      }),
    // the car of an entry stands in its group too
    needs: [
      'schedules',
      'schedules.scheduleId',
      'schedules.scheduleType',
      'schedules.startDateTimeStr',
      'schedules.endDateTimeStr',
      'schedules.reason',
    ],
  },
  {
    does: 'a hold finds the products',
    reads: 'listProducts',
    of: { items: [aProduct(301), aProduct(302)] },
    run: (client) => run(scanActivities(client, roles).listProductIds),
    needs: ['productId'],
  },
  {
    does: 'a hold reads its car in a product',
    reads: 'listRelatedCars',
    of: { items: [related] },
    run: (client) => run(scanActivities(client, roles).carInProduct, place),
    needs: ['carId', 'saleYn'],
  },
  {
    does: 'a sale status is read back',
    reads: 'listRelatedCars',
    of: { items: [related] },
    run: (client) => run(writes(client).findSaleStatus, place),
    needs: ['carId', 'saleYn'],
  },
  {
    does: 'a sale status is set',
    reads: 'setSaleStatus',
    of: { ...place, saleYn: 'N' },
    run: (client) => run(writes(client).setSaleStatus, { ...place, saleYn: 'N' }),
    needs: [],
  },
  {
    does: 'a memo is written',
    reads: 'addCarMemo',
    of: aMemo(9, carId),
    run: (client) => run(writes(client).addCarMemo, { carId, content: 'PERSONAL' }),
    needs: ['memoId'],
  },
  {
    does: 'a memo is searched for',
    reads: 'listCarMemos',
    of: { items: [aMemo(9, carId)] },
    run: (client) => {
      return run(writes(client).findCarMemo, { carId, content: 'PERSONAL' });
    },
    needs: ['memoId', 'content'],
  },
  {
    does: 'what follows in the schedule is looked up',
    reads: 'listSchedules',
    of: { items: [group] },
    run: (client) =>
      run(lookAheadActivity(client, roles).lookAhead, {
        reservationId: 8421,
        at: now,
        asked: 'it',
        carId,
        carNumber: '12가1001',
        productId: null,
        period: { start: now - hour, end: now },
        zoneOffsetMinutes: 540,
      }),
    // the car of an entry stands in its group too
    needs: [
      'schedules',
      'schedules.scheduleId',
      'schedules.scheduleType',
      'schedules.startDateTimeStr',
      'schedules.endDateTimeStr',
    ],
  },
  {
    does: 'a booking is made',
    reads: 'book',
    of: answer,
    run: async (client) => {
      const book = bookActivity(client, { ...sending, bookings: noBookings });
      const made = await run(book, { commandId: 'c', by: 'a', request: booking });
      return made.outcome === 'applied' ? { reservationId: made.reservationId } : made;
    },
    needs: ['reservationId'],
  },
];

describe.each(steps)('$does', ({ reads, of, run: act, needs }) => {
  const { schema } = defaultProfile.operations[reads].success;
  const wire: unknown = JSON.parse(JSON.stringify(z.encode(schema as never, of as never)));

  it(`F91: needs ${needs.join(', ') || 'nothing'} of ${reads}, and names the field that it cannot read`, async () => {
    let body = wire;
    const { url } = await httpPeer((response) => response.end(JSON.stringify(body)));
    const client = clientOf(url);
    const read = async (sent: unknown) => {
      body = sent;
      return JSON.stringify(await act(client).catch(({ message }: Error) => `UNREADABLE ${message}`));
    };
    const whole = await read(wire);
    expect(whole).not.toMatch(unreadable);
    const needed = new Set<string>();
    for (const [index, path] of placesOf(wire).entries()) {
      for (const by of someOf(
        kinds.filter((kind) => !isOfType(at(wire, path), kind)),
        index,
      )) {
        const mutated = await read(replaced(wire, path, by));
        if (mutated === whole) continue;
        const name = nameOf(path);
        needed.add(name);
        expect(mutated, `${name} as ${String(by)}`).toMatch(unreadable);
        // what is looked up has no message of its own: the log, the metric and the doctor name it
        if (mutated.includes('"failed"')) continue;
        expect(mutated).toMatch(
          new RegExp(`${reads}: .*: expected .+, received ${received(path, by)} \\(G\\d\\d\\)`),
        );
      }
    }
    // an item that is none at all may be the one that is looked for
    needed.delete('');
    expect([...needed].toSorted()).toEqual(needs.toSorted());
  });
});

/** Of what is taken out of a list the next moves up; JSON has null there. */
const received = (path: Path, by: Kind) =>
  typeof path.at(-1) === 'number' && by === undefined ? 'null' : typeOf(by);
/** Two for each place, others for the next. */
const someOf = (all: Kind[], index: number) => [all[index % all.length], all[(index + 2) % all.length]];
const unreadable = /UNREADABLE|"unread"/;
const isOfType = (value: unknown, kind: Kind) =>
  Array.isArray(value) === Array.isArray(kind) && typeof value === typeof kind && kind !== null;

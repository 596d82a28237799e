import { expect, it, vi } from 'vitest';
import type { SentBooking } from '../../src/contract/attempt.js';
import { callCodes } from '../../src/platform/errors.js';
import { BookingRun } from '../../workflows/booking/run.js';
import { bookingNotSent, bookingNotStored, isUnsent } from '../../workflows/booking/send-by.js';

const code = vi.hoisted(() => ({ isPatched: false, settle: async (): Promise<unknown> => undefined }));
const row = vi.hoisted(() => ({ isOfAnotherRun: false }));
vi.mock('@temporalio/workflow', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  patched: () => code.isPatched,
  condition: async () => true,
  sleep: () => new Promise(() => {}),
  workflowInfo: () => ({ runId: 'run-1', startTime: new Date() }),
}));
vi.mock('../../workflows/shared/proxies.js', () => ({
  bookings: () => ({
    keepBooking: async () => (row.isOfAnotherRun ? 'known' : 'kept'),
    // the other run has resolved it
    lookForBooking: async () => ({ kind: row.isOfAnotherRun ? 'settled' : 'none' }),
    settleBooking: () => code.settle(),
    clearBookingAlert: async () => {},
    tellReservation: async () => {},
  }),
}));

const resolution = (settlementId: string) => ({
  outcome: 'rejected' as const,
  reason: 'asked the platform',
  by: 'lee',
  settlementId,
});
const request = {
  productId: 7,
  startAt: 1,
  endAt: 2,
  pickupAddress: 'exit 3',
  driver: { name: 'A', birth: '1', phone: '2', licenseNumber: '3', address: '4' },
};

const start = { commandId: 'b-1', by: 'channel-1', request };

/** Two resolutions wait when the first is settled, and a third arrives while it is. */
async function endsOfThree(): Promise<string[]> {
  const run = new BookingRun(start, false, async () => ({ outcome: 'unknown', code: 'TIMEOUT' }));
  const ends = ['open', 'open', 'open'];
  const resolve = (index: number) =>
    run.resolve(resolution(`s-${index}`)).then(
      () => (ends[index] = 'settled'),
      () => (ends[index] = 'other'),
    );
  code.settle = async () => {
    void resolve(2);
    return { kind: 'settled' };
  };
  void resolve(0);
  void resolve(1);
  await run.runToEnd();
  await new Promise((done) => setImmediate(done));
  return ends;
}

it('every resolution gets its answer', async () => {
  code.isPatched = true;
  expect(await endsOfThree()).toEqual(['settled', 'other', 'other']);
});

it('a run of 0.2.0 dropped resolutions that waited with the first one, and answered those that came later', async () => {
  code.isPatched = false;
  expect(await endsOfThree()).toEqual(['settled', 'open', 'other']);
});

it.each([
  ['by a worker', bookingNotSent],
  ['for the database', bookingNotStored],
])('F30: not sent (%s): another run may have sent it, also where its end was copied', async (_, end) => {
  const copy: SentBooking = JSON.parse(JSON.stringify(end));
  const result = () => new BookingRun(start, true, async () => copy).runToEnd();
  code.settle = async () => ({ kind: 'settled' });
  row.isOfAnotherRun = true;
  expect(await result()).toMatchObject({ outcome: 'unknown', code: 'RUN_LOST' });
  row.isOfAnotherRun = false;
  expect(await result()).toEqual(end);
});

it('no answer of the platform is one of a booking that was not sent', () => {
  for (const code of callCodes) expect(isUnsent({ outcome: 'rejected', code, message: '' })).toBe(false);
  expect(isUnsent({ outcome: 'unknown', code: bookingNotSent.code })).toBe(false);
});

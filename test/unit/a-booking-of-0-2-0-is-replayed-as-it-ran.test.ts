import { expect, it, vi } from 'vitest';
import { BookingRun } from '../../workflows/booking/run.js';

const code = vi.hoisted(() => ({ isPatched: false, settle: async (): Promise<unknown> => undefined }));
vi.mock('@temporalio/workflow', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  patched: () => code.isPatched,
  condition: async () => true,
  sleep: () => new Promise(() => {}),
  workflowInfo: () => ({ runId: 'run-1', startTime: new Date() }),
}));
vi.mock('../../workflows/shared/proxies.js', () => ({
  bookings: () => ({
    keepBooking: async () => 'kept',
    lookForBooking: async () => ({ kind: 'none' }),
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

/** Two resolutions wait when the first is settled, and a third arrives while it is. */
async function endsOfThree(): Promise<string[]> {
  const start = { commandId: 'b-1', by: 'channel-1', request };
  const run = new BookingRun(start, async () => ({ outcome: 'unknown', code: 'TIMEOUT' }));
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

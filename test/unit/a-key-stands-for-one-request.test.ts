import { expect, it } from 'vitest';
import { resolutionMark } from '../../src/contract/booking.js';
import { markOf, standingOf } from '../../src/domain/shared/idempotency.js';
import { temporalBookings } from '../../src/temporal/client/bookings/bookings.js';

it('L21: the same content is the same request, whatever its sender and the order of its fields', () => {
  const mark = markOf('resolveCommand', { commandId: 'c-1', reason: 'asked', by: 'kim', settlementId: 'k' });
  expect(markOf('resolveCommand', { reason: 'asked', commandId: 'c-1', by: 'lee' })).toBe(mark);
  for (const other of [
    markOf('resolveCommand', { commandId: 'c-2', reason: 'asked' }),
    markOf('resolveAttention', { commandId: 'c-1', reason: 'asked' }),
  ]) {
    expect(standingOf({ mark }, other)).toBe('other');
  }
  expect(standingOf({ mark }, mark)).toBe('same');
  expect(standingOf(undefined, mark)).toBe('new');
  expect(standingOf({}, mark)).toBe('same');
});

interface Resolved {
  isOpen: boolean;
  /** Empty: none, as earlier versions stored it. */
  settlementMark?: string;
}

const applied = {
  outcome: 'applied',
  reservationId: 7,
  reason: 'seen',
  by: 'lee',
  settlementId: 'r-1',
} as const;

/** A booking that a person resolved; `isOpen`: Temporal answers for it all the same. */
function resolved({ isOpen, settlementMark = resolutionMark(applied) }: Resolved) {
  const end = { outcome: 'applied', reservationId: 7, settledBy: 'person' };
  const known = {
    mark: 'm',
    state: 'applied',
    code: null,
    end,
    settlementId: 'r-1',
    settlementMark: settlementMark || undefined,
  };
  let reads = 0;
  const find = async () => (isOpen && reads++ === 0 ? { ...known, state: 'unknown', end: null } : known);
  const client = {
    withDeadline: <T>(_until: number, call: () => T) => call(),
    workflow: { getHandle: () => ({ executeUpdate: async () => 'settled' }) },
  };
  const bookings = temporalBookings(client as never, { reads: { find } as never, matchMs: 1 });
  return (input: Parameters<typeof bookings.resolve>[1]) => bookings.resolve('b-1', input);
}

it.each([{ isOpen: true }, { isOpen: false }])(
  'L21, F35: a resolution acts once, and its key with another body is refused: $isOpen',
  async (how) => {
    expect(await resolved(how)(applied)).toEqual({ kind: 'settled' });
    const others = [
      { ...applied, reservationId: 8 },
      { ...applied, outcome: 'rejected' as const },
      { ...applied, reason: 'seen twice' },
    ];
    for (const other of others) {
      expect(await resolved(how)(other)).toMatchObject({ refusal: { code: 'COMMAND_ID_REUSED' } });
    }
    expect(await resolved(how)({ ...applied, settlementId: 'r-2' })).toMatchObject({
      refusal: { code: 'BOOKING_SETTLED' },
    });
  },
);

it('L21: a resolution that an earlier version stored is compared by its outcome and reservation', async () => {
  const resolve = resolved({ isOpen: false, settlementMark: '' });
  expect(await resolve({ ...applied, reason: 'seen twice' })).toEqual({ kind: 'settled' });
  expect(await resolve({ ...applied, reservationId: 8 })).toMatchObject({
    refusal: { code: 'COMMAND_ID_REUSED' },
  });
});

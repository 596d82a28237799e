import type { ListRow } from '../../src/domain/reservation/types.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const lasts = 2 * day;

interface Share extends Partial<ListRow> {
  /** Of a hundred reservations. */
  share: number;
  /** When the first one starts, in ms from now; each further one starts `every` ms later. */
  startIn: number;
  every: number;
}

/** One share per lane of the board. Those of `dueOut` start later than the reservations that the bench adds, which are shown first. */
const shares: readonly Share[] = [
  { share: 5, status: 20, startIn: -3 * day, every: minute },
  { share: 40, status: 5, next: 'dispatch.staff', startIn: 60 * day, every: 2 * minute },
  { share: 35, status: 20, startIn: -day, every: 20_000 },
  { share: 10, status: 25, startIn: -3 * day, every: 10_000 },
  { share: 10, status: 30, next: 'recall.carImage', startIn: -3 * day, every: minute },
];

/** What lists show of `count` open reservations, in all five lanes. */
export function openRows(count: number, now: number): ListRow[] {
  return shares.flatMap(({ share, startIn, every, ...changes }, lane) =>
    Array.from({ length: Math.round((count * share) / 100) }, (_, index): ListRow => {
      const start = now + startIn + index * every;
      const raised = { kind: 'return-late' as const, since: now - index * minute };
      return {
        sequence: now,
        status: 5,
        grade: 'observed',
        since: now - index * minute,
        carId: 10_000 + index,
        companyId: 11,
        productId: 301,
        period: { start, end: start + lasts },
        attention: lane === 0 ? [raised] : [],
        next: null,
        unknownCommands: 0,
        waitingCommands: 0,
        atRisk: false,
        private: {
          carNumber: `${10 + (index % 90)}가${1000 + (index % 9000)}`,
          dispatchStaff: lane === 1 ? null : 'Kim Jiwoo',
          recallStaff: null,
          drivers: ['김운전'],
        },
        ...changes,
      };
    }),
  );
}

import { asc } from 'drizzle-orm';
import type { Behaviour } from '../../src/platform/profile.js';
import { reservations, schedules } from '../../src/sandbox/store/schema.js';
import { openStore } from '../../src/sandbox/store/store.js';

type Source = Parameters<typeof openStore>[0];

/**
 * What must be true of a sandbox's database whatever was done to it. The sandbox must be stopped (an embedded
 * database serves one process), unless it is a server's. Gives the broken invariants; none: an empty list.
 */
export async function brokenInvariants(source: Source, behaviour: Behaviour): Promise<string[]> {
  const store = await openStore(source);
  try {
    const broken: string[] = [];
    const all = await store.db.select().from(reservations).orderBy(asc(reservations.reservationId));
    const slots = await store.db
      .select()
      .from(schedules)
      .orderBy(asc(schedules.carId), asc(schedules.startAt));

    for (const [index, slot] of slots.entries()) {
      const next = slots[index + 1];
      if (next && next.carId === slot.carId && next.startAt < slot.endAt) {
        broken.push(`car ${slot.carId}: schedules ${slot.scheduleId} and ${next.scheduleId} overlap`);
      }
    }
    for (const row of all) {
      const own = slots.filter((slot) => slot.reservationId === row.reservationId);
      const live = [5, 10, 15, 20, 25, 30].includes(row.status);
      const fits = own.filter(
        (slot) => slot.carId === row.carId && slot.startAt === row.startAt && slot.endAt === row.endAt,
      );
      if (live && (own.length !== 1 || fits.length !== 1)) {
        broken.push(
          `reservation ${row.reservationId} at ${row.status}: ${own.length} schedules, ${fits.length} fit`,
        );
      }
      broken.push(...illegalMoves(behaviour, row));
    }
    return broken;
  } finally {
    await store.close();
  }
}

function illegalMoves(behaviour: Behaviour, row: typeof reservations.$inferSelect): string[] {
  const broken: string[] = [];
  let at: number | null = null;
  for (const { from, to } of row.moves) {
    const arrow =
      from === null
        ? to === 5 && at === null
        : behaviour.fromStates[to as keyof Behaviour['fromStates']]?.includes(from);
    if (!arrow || from !== at) broken.push(`reservation ${row.reservationId}: ${from} to ${to}`);
    at = to;
  }
  if (at !== row.status)
    broken.push(`reservation ${row.reservationId} is at ${row.status}, moves end at ${at}`);
  return broken;
}

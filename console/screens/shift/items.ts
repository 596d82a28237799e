import type { ActivityEntry, ReservationList } from '../../api/types.js';

/** An attention item within a shift, as its entries and the list of open ones show it. */
export interface ShiftItem {
  reservationId: number;
  carId: number | null;
  carNumber: string | null;
  kind: string;
  /** When it was raised; null: before the shift. */
  raisedAt: string | null;
  /** `left`: the reservation closed with it open, and no person resolves it any more (L47). */
  is: 'open' | 'resolved' | 'cleared' | 'left';
  /** Since when it is no longer open. */
  endedAt: string | null;
  /** Who resolved it. */
  by: string | null;
  owner: string | null;
}

type Car = Pick<ActivityEntry, 'carId' | 'carNumber'>;

/** Items that were raised or ended since the beginning, and those that are open; open ones first, then those left open, then by time. */
export function itemsOf(
  entries: readonly ActivityEntry[],
  open: readonly Pick<
    ReservationList['items'][number],
    keyof Car | 'reservationId' | 'attention' | 'owners'
  >[],
): ShiftItem[] {
  const items = new Map<string, ShiftItem>();
  // the oldest first: an item may be raised again
  for (const entry of entries.toReversed()) {
    const reservationId = Number(/^reservation\/(\d+)$/.exec(entry.subject)?.[1]);
    const kind = String(entry.data.kind ?? '');
    if (!entry.action.startsWith('attention.') || Number.isNaN(reservationId) || kind === '') continue;
    const key = `${reservationId} ${kind}`;
    const known = items.get(key) ?? empty(reservationId, kind, entry);
    if (entry.action === 'attention.raise')
      // raised again while it is open: it was raised at the first time
      items.set(key, {
        ...empty(reservationId, kind, entry),
        raisedAt: known.endedAt === null ? (known.raisedAt ?? entry.at) : entry.at,
      });
    const is = endings[entry.action];
    if (is !== undefined) items.set(key, { ...known, is, endedAt: entry.at, by: entry.by });
  }
  for (const { reservationId, attention, owners, ...car } of open) {
    for (const kind of attention) {
      const key = `${reservationId} ${kind}`;
      items.set(key, {
        ...(items.get(key) ?? empty(reservationId, kind, car)),
        is: 'open',
        endedAt: null,
        by: null,
        owner: owners[kind] ?? null,
      });
    }
  }
  const latest = ({ endedAt, raisedAt }: ShiftItem) => Date.parse(endedAt ?? raisedAt ?? '') || 0;
  return [...items.values()].sort((a, b) => rank[a.is] - rank[b.is] || latest(b) - latest(a));
}

const endings: Record<string, ShiftItem['is']> = {
  'attention.resolve': 'resolved',
  'attention.clear': 'cleared',
  'attention.leave': 'left',
};
const rank: Record<ShiftItem['is'], number> = { open: 0, left: 1, resolved: 2, cleared: 2 };

function empty(reservationId: number, kind: string, { carId, carNumber }: Car): ShiftItem {
  return {
    reservationId,
    carId,
    carNumber,
    kind,
    raisedAt: null,
    is: 'open',
    endedAt: null,
    by: null,
    owner: null,
  };
}

/** A command's last known outcome, `open` before the first; null: a deed that has none, because it is done at once. */
export function outcomeOf({ id, data }: Pick<ActivityEntry, 'id' | 'data'>): string | null {
  if (typeof data.outcome === 'string') return data.outcome;
  return id.startsWith('reservation/') && data.commandId !== undefined ? 'open' : null;
}

/** Whether it took effect. */
export const isDone = (entry: Pick<ActivityEntry, 'id' | 'data' | 'action'>): boolean =>
  // a resolution took effect, whatever outcome it gave
  entry.action.endsWith('.resolve') || [null, 'applied'].includes(outcomeOf(entry));

/** What persons did; an item that was raised, or cleared itself, is no deed. */
export const deedsOf = (entries: readonly ActivityEntry[]) => entries.filter(({ by }) => by !== null);

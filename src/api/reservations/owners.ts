import type { AttentionView, ReservationView } from '../../domain/reservation/index.js';
import type { Claims } from '../../store/reservations/claims.js';

type Owned = ReservationView & { attention: (AttentionView & { owner?: string | null })[] };

/** The view with the owners of its items; without them where the database gives no answer. */
export async function withOwners(claims: Pick<Claims, 'ownersOf'>, view: ReservationView): Promise<Owned> {
  if (view.attention.length === 0) return view;
  const owners = await claims.ownersOf(view.reservationId).catch(() => undefined);
  if (owners === undefined) return view;
  return {
    ...view,
    attention: view.attention.map((item) => ({ ...item, owner: owners[item.kind] ?? null })),
  };
}

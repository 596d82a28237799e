import type { ReservationView } from '../../../domain/reservation/index.js';

const mostViews = 200;
const recentMs = 60_000;

/** The newest views that this process has had of reservations: older than the reservation itself by a moment, or more. */
export class RecentViews {
  private readonly views = new Map<number, { view: ReservationView; at: number }>();

  add(view: ReservationView): void {
    const { reservationId } = view;
    // the newest is the last: the first is the one to give up
    this.views.delete(reservationId);
    this.views.set(reservationId, { view, at: performance.now() });
    const [oldest] = this.views.keys();
    if (this.views.size > mostViews && oldest !== undefined) this.views.delete(oldest);
  }

  /** Undefined: none within the last minute. */
  get(reservationId: number): ReservationView | undefined {
    const known = this.views.get(reservationId);
    return known !== undefined && performance.now() - known.at < recentMs ? known.view : undefined;
  }
}

import type { Instant } from '../../platform/model.js';

/** The platform's time as kept in the database: real time plus an offset, or standing still. */
export interface ClockState {
  offsetMs: number;
  frozenAt: Instant | null;
}

const realTime: ClockState = { offsetMs: 0, frozenAt: null };

/** The platform's clock. It never goes backwards; after a resume it runs on from where it stood. */
export class Clock {
  private latest: Instant = Number.NEGATIVE_INFINITY;

  constructor(private state: ClockState = realTime) {}

  now(): Instant {
    const shown = this.state.frozenAt ?? Date.now() + this.state.offsetMs;
    this.latest = Math.max(this.latest, shown); // the machine's own clock may be set back
    return this.latest;
  }

  get mode(): 'real' | 'frozen' {
    return this.state.frozenAt === null ? 'real' : 'frozen';
  }

  /** Real milliseconds until the clock shows `at`; Infinity while it is stopped before it. */
  realMsUntil(at: Instant): number {
    const ms = Math.max(0, at - this.now());
    return ms > 0 && this.mode === 'frozen' ? Number.POSITIVE_INFINITY : ms;
  }

  /** Moves on to `at`; an instant already passed changes nothing. */
  advanceTo(at: Instant): void {
    const ahead = at - this.now();
    if (ahead <= 0) return;
    const { offsetMs, frozenAt } = this.state;
    this.state =
      frozenAt === null ? { offsetMs: offsetMs + ahead, frozenAt } : { offsetMs, frozenAt: frozenAt + ahead };
  }

  freeze(): void {
    this.state = { ...this.state, frozenAt: this.now() };
  }

  resume(): void {
    this.state = { offsetMs: this.now() - Date.now(), frozenAt: null };
  }

  /** Another time altogether, for the state as a whole is another; undefined: real time. */
  set(state: ClockState | undefined): void {
    this.state = state ?? realTime;
    this.latest = Number.NEGATIVE_INFINITY;
  }

  /** What to keep in the database. */
  snapshot(): ClockState {
    return this.state;
  }
}

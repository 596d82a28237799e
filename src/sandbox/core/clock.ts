import type { Instant } from '../../platform/model.js';

/** The platform's time as the database stores it: real time plus an offset, or a frozen instant. */
export interface ClockState {
  offsetMs: number;
  frozenAt: Instant | null;
}

const realTime: ClockState = { offsetMs: 0, frozenAt: null };

/** The platform's clock. It never goes backwards; after a resume it continues from its last time. */
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

  /** Sets another time, also an earlier one, for a database with other contents; undefined: real time. */
  set(state: ClockState | undefined): void {
    this.state = state ?? realTime;
    this.latest = Number.NEGATIVE_INFINITY;
  }

  /** The state that the database stores. */
  snapshot(): ClockState {
    return this.state;
  }
}

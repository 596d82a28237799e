import { log, sleep } from '@temporalio/workflow';
import type { KeyState, Role, RoleStart, Suspension } from '../../src/contract/role.js';
import { roleSuspendedCode } from '../../src/domain/shared/outcome.js';
import { platform, roles } from '../shared/proxies.js';

/** Reservations that may wait: that many ids stay well below what one run can pass to the next. */
const mostWaiting = 50_000;
/** Reservations that one activity notifies. */
const perBatch = 200;
/** Longer than workers use their last reading of the open alerts. */
const alertsAreReadWithinMs = 1_500;

/** One run of a suspended role: the reservations that wait, and the effects. */
export class RoleRun {
  // Carried through continue-as-new
  private readonly waiting: Set<number>;
  private alerted: boolean;
  relapses: number;
  // Of this run alone
  signals = 0;
  /** A refused request was reported since the last try of the key. */
  isReported = true;
  /** One of those requests had been sent because the key was reported to work. */
  hasRelapsed = false;
  private code = 'UNAUTHORIZED';

  constructor(private readonly start: RoleStart) {
    const { waiting = [], alerted = false, relapses = 0 } = start.carried ?? {};
    this.waiting = new Set(waiting);
    this.alerted = alerted;
    this.relapses = relapses;
  }

  get historyEventsPerRun(): number {
    return this.start.historyEventsPerRun;
  }

  /** Signal: a request was refused for the key, or held back for it. */
  recordSuspension({ reservationId, code, restored = false }: Suspension): void {
    this.signals += 1;
    this.isReported = true;
    if (code !== roleSuspendedCode) this.code = code;
    if (reservationId === null) return;
    // a 403 is about the reservation, which ends its command; another 401 is about the key
    if (code === 'UNAUTHORIZED' && restored) this.hasRelapsed = true;
    if (this.waiting.size < mostWaiting) this.waiting.add(reservationId);
    else log.error('too many reservations wait for a suspended role', { reservationId });
  }

  /** Tries the key: where it works, the alert is cleared, and every reservation refused before the try is notified. */
  async tryKey(): Promise<boolean> {
    const refused = [...this.waiting];
    this.waiting.clear();
    this.isReported = false;
    this.hasRelapsed = false;
    const key = await keyOf(this.start.role);
    if (key.kind === 'works' || key.kind === 'off') {
      await this.restore(refused);
      return true;
    }
    for (const reservationId of refused) this.waiting.add(reservationId);
    await this.raise({ code: key.kind === 'refused' ? key.code : this.code, reads: false });
    return false;
  }

  /** The key can read, yet commands are refused for it: they are retried at growing intervals. */
  async handleRelapse(): Promise<void> {
    this.relapses += 1;
    await this.raise({ code: this.code, reads: true });
  }

  carry(): RoleStart {
    const { alerted, relapses } = this;
    return { ...this.start, carried: { waiting: [...this.waiting], alerted, relapses } };
  }

  private async restore(reservationIds: number[]): Promise<void> {
    const { role } = this.start;
    // also where this run raised no alert: an earlier run may have been terminated after it raised one
    const wasOpen = await roles.clearAlert({ role, at: Date.now() });
    this.alerted = false;
    if (wasOpen) await sleep(alertsAreReadWithinMs, { summary: 'workers see that the alert is over' });
    for (let from = 0; from < reservationIds.length; from += perBatch) {
      await roles.restoreReservations(reservationIds.slice(from, from + perBatch));
    }
  }

  private async raise(found: { code: string; reads: boolean }): Promise<void> {
    if (this.alerted) return;
    await roles.raiseAlert({ role: this.start.role, at: Date.now(), ...found });
    this.alerted = true;
  }
}

/** Unclear where the try timed out or lost its worker. */
async function keyOf(role: Role): Promise<KeyState> {
  try {
    const key: KeyState | null = await platform.probeRole.executeWithOptions(
      { summary: `try the ${role} key` },
      [role],
    );
    return key ?? unclear;
  } catch {
    return unclear;
  }
}

const unclear: Readonly<KeyState> = { kind: 'unclear', code: 'ATTEMPT_LOST' };

import { message } from '../../store/alerts/messages/message.js';
import type { OwnAlerts } from '../../store/alerts/own-alerts.js';
import { mayBeMore, type StuckWorkflow } from '../client/stuck-workflows.js';
import { nonDeterminism, type WorkerFigures } from './worker-figures.js';

/** Temporal repeats a failed task after ten minutes at the latest. */
const quietForMs = 15 * 60_000;
const mostNamed = 3;

interface Failures {
  /** Since the process started. */
  count: number;
  /** Checks that found new ones, each less than the quiet time after the one before: several reads at once are one. */
  inRow: number;
  /** When the last came. */
  at: number;
}

/**
 * Raises and clears `workflow-stuck` and `non-determinism`: by what Temporal reports of all workers, and while it has never
 * reported any, by the failures that this worker has seen.
 */
export class StuckWatch {
  /** By workflow type and reason. */
  private readonly failures = new Map<string, Failures>();
  private begun = false;
  /** The server has reported one: from then on, an empty list means that none is stuck. */
  private hasReported = false;

  constructor(private readonly alerts: Pick<OwnAlerts, 'set'>) {}

  /**
   * @param stuck as Temporal reports; null: its server knows no such report. Empty: none is stuck, or the server's setting for
   * the report is off
   * @param now an instant
   */
  async check(stuck: StuckWorkflow[] | null, figures: WorkerFigures, now: number): Promise<void> {
    const failing = this.failingTypes(figures, now);
    this.hasReported ||= stuck !== null && stuck.length > 0;
    const reported = this.hasReported ? stuck : null;
    const names =
      reported?.map(({ workflowId }) => workflowId) ??
      failing.filter(({ times }) => times > 1).map(({ workflowType }) => workflowType);
    const broken =
      reported?.filter(({ isNonDeterministic }) => isNonDeterministic).map(({ workflowId }) => workflowId) ??
      failing.filter(({ reason }) => reason === nonDeterminism).map(({ workflowType }) => workflowType);
    const known = { areTypes: reported === null, isAtLeast: reported !== null && mayBeMore(reported) };
    await this.set('workflow-stuck', names, { ...known, now });
    await this.set('non-determinism', broken, { ...known, now });
  }

  private async set(
    kind: 'workflow-stuck' | 'non-determinism',
    names: string[],
    { now, ...known }: { areTypes: boolean; isAtLeast: boolean; now: number },
  ): Promise<void> {
    const all = [...new Set(names)].sort();
    const first = all.slice(0, mostNamed);
    const failing = { first, more: all.length - first.length, ...known };
    const text = all.length === 0 ? null : message(`alert.${kind}`, failing);
    await this.alerts.set({ kind, subject: '' }, text, now);
  }

  /** Types whose tasks failed in this process within the quiet time. */
  private failingTypes({ failedTasks }: WorkerFigures, now: number) {
    const failing: { workflowType: string; reason: string; times: number }[] = [];
    for (const { workflowType, reason, count } of failedTasks) {
      const key = `${workflowType} ${reason}`;
      const before = this.failures.get(key) ?? {
        count: this.begun ? 0 : count,
        inRow: 0,
        at: Number.NEGATIVE_INFINITY,
      };
      const isQuiet = (at: number) => now - at >= quietForMs;
      const inRow = isQuiet(before.at) ? 0 : before.inRow;
      const isNew = count > before.count;
      const last = isNew ? { count, inRow: inRow + 1, at: now } : before;
      this.failures.set(key, last);
      if (!isQuiet(last.at)) failing.push({ workflowType, reason, times: last.inRow });
    }
    this.begun = true;
    return failing;
  }
}

import type { OwnAlerts } from '../../store/alerts/own-alerts.js';
import { nonDeterministic, workflowStuck } from '../../store/alerts/texts.js';
import type { StuckWorkflow } from '../client/stuck-workflows.js';
import { nonDeterminism, type WorkerFigures } from './worker-figures.js';

/** Temporal repeats a failed task after ten minutes at the latest. */
const quietForMs = 15 * 60_000;
const mostNamed = 3;

type Reason = { count: number; at: number };

/**
 * Raises and clears `workflow-stuck` and `non-determinism`: by what Temporal reports of all workers, and where the server
 * reports nothing, by the failures that this worker has seen.
 */
export class StuckWatch {
  /** Failures so far, and when the last came, by workflow type and reason. */
  private readonly failures = new Map<string, Reason>();
  private begun = false;

  constructor(private readonly alerts: Pick<OwnAlerts, 'set'>) {}

  /**
   * @param stuck as Temporal reports; null: it does not
   * @param now an instant
   */
  async check(stuck: StuckWorkflow[] | null, figures: WorkerFigures, now: number): Promise<void> {
    const failing = this.failingTypes(figures, now);
    // an empty list may also mean that the setting of the server is off
    const reported = stuck?.length ? stuck : null;
    const names =
      reported?.map(({ workflowId }) => workflowId) ??
      failing.filter(({ times }) => times > 1).map(({ workflowType }) => `workflows of type ${workflowType}`);
    const broken =
      reported?.filter(({ isNonDeterministic }) => isNonDeterministic).map(({ workflowId }) => workflowId) ??
      failing
        .filter(({ reason }) => reason === nonDeterminism)
        .map(({ workflowType }) => `workflows of type ${workflowType}`);
    await this.set('workflow-stuck', names, workflowStuck, now);
    await this.set('non-determinism', broken, nonDeterministic, now);
  }

  private async set(
    kind: 'workflow-stuck' | 'non-determinism',
    names: string[],
    text: (named: string, count: number) => string,
    now: number,
  ): Promise<void> {
    const all = [...new Set(names)].sort();
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    const message =
      all.length === 0 ? null : text(`${all.slice(0, mostNamed).join(', ')}${more}`, all.length);
    await this.alerts.set({ kind, subject: '' }, message, now);
  }

  /** Types whose tasks failed lately in this process; `times` since it is watched. */
  private failingTypes({ failedTasks }: WorkerFigures, now: number) {
    const failing: { workflowType: string; reason: string; times: number }[] = [];
    for (const { workflowType, reason, count } of failedTasks) {
      const key = `${workflowType} ${reason}`;
      const before = this.failures.get(key) ?? {
        count: this.begun ? 0 : count,
        at: Number.NEGATIVE_INFINITY,
      };
      const isNew = count > before.count;
      const last = isNew ? { count, at: now } : before;
      this.failures.set(key, last);
      if (now - last.at < quietForMs) failing.push({ workflowType, reason, times: count });
    }
    this.begun = true;
    return failing;
  }
}

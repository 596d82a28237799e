import { isExhausted, type WorkerFigures } from './worker-figures.js';

const stalledAfterMs = 2 * 60_000;

/** Notices that tasks which the SDK has lost hold nearly all slots for workflow tasks, so that none begins. */
export class StallWatch {
  private begun = 0;
  /** Since when none has begun and nearly all slots are used; an instant. */
  private since: number | null = null;

  /**
   * @param figures null: Temporal is away, so that no task can begin
   * @param now an instant
   * @returns true once where it has been so for two minutes; the workers that replace these have the same time
   */
  check(figures: WorkerFigures | null, now: number): boolean {
    const ofWorkflows = (figures?.begunTasks ?? []).filter(({ kind }) => kind === 'workflows');
    const begun = ofWorkflows.reduce((sum, { count }) => sum + count, 0);
    const isFull = figures?.slots.some((slots) => slots.kind === 'WorkflowWorker' && isExhausted(slots));
    if (!isFull) this.since = null;
    else if (this.since === null || begun !== this.begun) this.since = now;
    this.begun = begun;
    if (this.since === null || now - this.since < stalledAfterMs) return false;
    this.since = null;
    return true;
  }
}

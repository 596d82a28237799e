import { message } from '../../store/alerts/messages/message.js';
import type { OwnAlerts } from '../../store/alerts/own-alerts.js';
import { isExhausted, type WorkerFigures } from './worker-figures.js';

const minute = 60_000;
/** Over how long tasks are counted, and how long all slots are used before this is reported. */
const lateOverMs = 5 * minute;
const exhaustedForMs = 2 * minute;
/** Fewer tasks show nothing. */
const leastTasks = 20;
/** Share of tasks that wait longer than a second. */
const mostLate = 0.1;

type Tasks = WorkerFigures['begunTasks'][number];
interface Reading {
  at: number;
  figures: WorkerFigures;
}

/** Raises and clears the alerts about the capacity of one worker's process: `tasks-late` and `slots-exhausted`. */
export class WorkerWatch {
  /** The readings of the longest period, the oldest first. */
  private readings: Reading[] = [];

  constructor(private readonly alerts: Pick<OwnAlerts, 'set'>) {}

  /** @param now an instant */
  async check(figures: WorkerFigures, now: number): Promise<void> {
    const from = this.readings.findLastIndex(({ at }) => now - at >= lateOverMs);
    // the newest reading that is old enough is needed too
    this.readings = [...this.readings.slice(Math.max(from, 0)), { at: now, figures }];
    for (const { queue, kind } of figures.begunTasks) {
      const late = this.shareOfLate(queue, kind, now);
      if (late === null) continue;
      // rounded: the alert is reworded where its data change
      const percent = Math.round(late * 100);
      const text =
        late > mostLate
          ? message(kind === 'workflows' ? 'alert.tasks-late' : 'alert.activities-late', { queue, percent })
          : null;
      const subject = kind === 'workflows' ? queue : `${queue} ${kind}`;
      await this.alerts.set({ kind: 'tasks-late', subject }, text, now);
    }
    for (const { queue, kind } of figures.slots) {
      const isFull = this.areExhausted(queue, kind, now);
      const text = isFull ? message('alert.slots-exhausted', { queue, kind }) : null;
      await this.alerts.set({ kind: 'slots-exhausted', subject: `${queue} ${kind}` }, text, now);
    }
  }

  /** 0 where there are too few tasks to judge by. Null: they are not watched for long enough. */
  private shareOfLate(queue: string, kind: Tasks['kind'], now: number): number | null {
    const [first] = this.readings;
    const last = this.readings.at(-1);
    if (first === undefined || last === undefined || now - first.at < lateOverMs) return null;
    const tasksOf = ({ figures }: Reading) =>
      figures.begunTasks.find((tasks) => tasks.queue === queue && tasks.kind === kind);
    const [before, after] = [tasksOf(first) ?? { count: 0, inTime: 0 }, tasksOf(last)];
    if (after === undefined) return null;
    const begun = after.count - before.count;
    return begun < leastTasks ? 0 : 1 - (after.inTime - before.inTime) / begun;
  }

  /** Whether they are, and were so at each reading of two minutes. */
  private areExhausted(queue: string, kind: string, now: number): boolean {
    const isUsed = ({ figures }: Reading) =>
      figures.slots.some((slots) => slots.queue === queue && slots.kind === kind && isExhausted(slots));
    const from = this.readings.findLast((reading) => !isUsed(reading)) ?? this.readings[0];
    return from !== undefined && isUsed(this.readings.at(-1) ?? from) && now - from.at >= exhaustedForMs;
  }
}

import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startWorkerWatch } from '../../src/app/parts/worker-watch.js';
import { Stack } from '../../src/app/startup/stack.js';
import type { Sentence } from '../../src/domain/shared/message.js';
import type { AlertSubject, Alerts } from '../../src/store/alerts/alerts.js';
import { inEnglish } from '../../src/store/alerts/messages/message.js';
import { OwnAlerts } from '../../src/store/alerts/own-alerts.js';
import type { StuckWorkflow } from '../../src/temporal/client/stuck-workflows.js';
import { StallWatch } from '../../src/temporal/worker/stall-watch.js';
import { StuckWatch } from '../../src/temporal/worker/stuck-watch.js';
import { isExhausted, readWorkerFigures } from '../../src/temporal/worker/worker-figures.js';
import { WorkerWatch } from '../../src/temporal/worker/worker-watch.js';

const minute = 60_000;
const open = new Map<string, string>();
let raises = 0;
const keyOf = ({ kind, subject }: AlertSubject) => `${kind} of "${subject}"`;
const alerts = {
  async raise({ message, ...alert }: AlertSubject & { message: Sentence }) {
    raises++;
    if (open.has(keyOf(alert))) return false;
    open.set(keyOf(alert), inEnglish(message));
    return true;
  },
  async reword({ message, ...alert }: AlertSubject & { message: Sentence }) {
    open.set(keyOf(alert), inEnglish(message));
  },
  clear: async (alert: AlertSubject) => open.delete(keyOf(alert)),
};
const [late, exhausted] = ['tasks-late of "handover"', 'slots-exhausted of "handover ActivityWorker"'];
const [blocked, nonDeterminism] = ['workflow-stuck of ""', 'non-determinism of ""'];
beforeEach(() => {
  open.clear();
  raises = 0;
});

const latency = 'temporal_workflow_task_schedule_to_start_latency_seconds';
interface Seen {
  begun?: number;
  inTime?: number;
  free?: number;
  used?: number;
  failed?: number;
  reason?: string;
  kind?: string;
}

const metrics = (seen: Seen) => readWorkerFigures(metricsText(seen));

/** As the SDK writes them. */
function metricsText(seen: Seen): string {
  const { begun = 0, inTime = begun, free = 5, failed = 0, reason = 'WorkflowError' } = seen;
  const { used = 10 - free, kind = 'ActivityWorker' } = seen;
  const labels = 'namespace="default",service_name="temporal-core-sdk",task_queue="handover"';
  return [
    `# TYPE ${latency} histogram`,
    `${latency}_bucket{${labels},le="0.1"} 0`,
    `${latency}_bucket{${labels},le="1"} ${inTime}`,
    `${latency}_bucket{${labels},le="+Inf"} ${begun}`,
    `${latency}_count{${labels}} ${begun}`,
    `temporal_worker_task_slots_available{${labels},worker_type="${kind}"} ${free}`,
    `temporal_worker_task_slots_used{${labels},worker_type="${kind}"} ${used}`,
    ...(failed === 0
      ? []
      : [
          `temporal_workflow_task_execution_failed_total{${labels},workflow_type="reservation",failure_reason="${reason}"} ${failed}`,
        ]),
  ].join('\n');
}

describe('a worker whose tasks begin late', () => {
  it('reports it after five minutes, with the queue, the share and the section of the runbook, and clears it', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    let [begun, inTime] = [0, 0];
    const passMinutes = async (minutes: number, missed: number, from: number) => {
      for (let at = from; at < from + minutes * minute; at += minute / 2) {
        begun += 10;
        inTime += 10 - missed;
        await watch.check(metrics({ begun, inTime }), at);
      }
    };
    await passMinutes(4, 5, 0);
    expect([...open.keys()]).toEqual([]);
    await passMinutes(2, 5, 4 * minute);
    expect(open.get(late)).toMatch(/50 % .* queue handover .*Runbook: docs\/runbook\.md#tasks-late\.$/);
    await passMinutes(6, 0, 6 * minute);
    expect([...open.keys()]).toEqual([]);
  });

  it('clears it in a quiet night, whose tasks are too few to judge by', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    for (let step = 0; step <= 10; step++)
      await watch.check(metrics({ begun: 10 * step, inTime: 5 * step }), (step * minute) / 2);
    expect([...open.keys()]).toEqual([late]);
    for (let at = 6 * minute; at <= 12 * minute; at += minute)
      await watch.check(metrics({ begun: 101, inTime: 50 }), at);
    expect([...open.keys()]).toEqual([]);
  });

  it('reports activities that wait for their queue too, but not scans, which are paced', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    const of = (queue: string, step: number) =>
      metricsText({ begun: 10 * step, inTime: 5 * step })
        .replaceAll('workflow_task_schedule', 'activity_schedule')
        .replaceAll('"handover"', `"${queue}"`);
    for (let step = 0; step <= 12; step++) {
      const text = ['handover-bookings', 'handover-scan'].map((queue) => of(queue, step)).join('\n');
      await watch.check(readWorkerFigures(text), (step * minute) / 2);
    }
    expect([...open.keys()]).toEqual(['tasks-late of "handover-bookings activities"']);
    expect([...open.values()][0]).toMatch(/50 % of the activities of the queue handover-bookings/);
  });

  it('reports nothing of a few tasks', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    for (let at = 0; at < 10 * minute; at += minute) await watch.check(metrics({ begun: 5, inTime: 0 }), at);
    expect(open.size).toBe(0);
  });
});

describe('a worker that stops', () => {
  it('clears what it raised, and nothing that another one raised', async () => {
    const own = new OwnAlerts(alerts);
    await own.set({ kind: 'tasks-late', subject: 'handover' }, 'late', 0);
    await own.set({ kind: 'workflow-stuck', subject: '' }, null, 0);
    open.set(blocked, 'raised by another worker');
    await own.clearRaised(minute);
    expect([...open.keys()]).toEqual([blocked]);
  });
});

describe('a worker whose workflow tasks the SDK has lost', () => {
  const stalled = { kind: 'WorkflowWorker', free: 2, used: 38, begun: 500 };
  /** In which minutes of ten it is noticed, with a reading each half. */
  const noticed = (reading: (minutes: number) => Seen | null) => {
    const watch = new StallWatch();
    const minutes = Array.from({ length: 21 }, (_, step) => step / 2);
    return minutes.filter((at) => {
      const seen = reading(at);
      return watch.check(seen && metrics(seen), at * minute);
    });
  };

  it('is noticed once nearly all slots are used and none has begun for two minutes; what replaces it has the same time', () => {
    expect(noticed(() => stalled)).toEqual([2, 4.5, 7, 9.5]);
    expect(noticed((at) => (at < 5 ? { ...stalled, begun: at } : stalled))).toEqual([7, 9.5]);
  });

  it('is not, while tasks begin, slots are free, Temporal is away, or the slots are of activities', () => {
    expect(noticed((at) => ({ ...stalled, begun: at }))).toEqual([]);
    expect(noticed(() => ({ ...stalled, free: 30, used: 10 }))).toEqual([]);
    expect(noticed(() => null)).toEqual([]);
    expect(noticed((at) => (at % 2 === 0 ? null : stalled))).toEqual([]);
    expect(noticed(() => ({ ...stalled, kind: 'ActivityWorker', free: 0 }))).toEqual([]);
    expect(noticed(() => ({ ...stalled, used: 0, free: 0 }))).toEqual([]);
  });

  it('is replaced also where the database refuses the alerts, and not before', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const log = pino({ level: 'silent' });
    const stack = new Stack(log);
    let replaced = 0;
    const refuse = async () => Promise.reject(new Error('ECONNREFUSED'));
    await startWorkerWatch(stack, {
      temporal: { client: {} as Client },
      alerts: { raise: refuse, reword: refuse, clear: refuse } as unknown as Alerts,
      sdkMetrics: async () => metricsText(stalled),
      log,
      onStalled: () => void replaced++,
    });
    await vi.advanceTimersByTimeAsync(1.9 * minute);
    expect(replaced).toBe(0);
    await vi.advanceTimersByTimeAsync(minute);
    expect(replaced).toBe(1);
    await stack.stop();
  });
});

describe('the slots of a kind', () => {
  it.each([
    ['ActivityWorker', 1, 99, false],
    ['ActivityWorker', 0, 100, true],
    ['ActivityWorker', 0, 0, false],
    ['WorkflowWorker', 5, 35, false],
    ['WorkflowWorker', 4, 36, true],
    ['WorkflowWorker', 0, 0, false],
  ])('of %s with %i free and %i used are exhausted: %s', (kind, free, used, expected) => {
    expect(isExhausted({ kind, free, used })).toBe(expected);
  });
});

describe('a worker without free slots', () => {
  it('reports it after two minutes, and clears it once one is free', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    await watch.check(metrics({}), 0);
    await watch.check(metrics({ free: 0 }), minute);
    await watch.check(metrics({ free: 0 }), 1.9 * minute);
    expect(open.size).toBe(0);
    await watch.check(metrics({ free: 0 }), 2.1 * minute);
    expect(open.get(exhausted)).toMatch(/ActivityWorker of the queue handover.*#slots-exhausted\.$/);
    await watch.check(metrics({ free: 2 }), 3 * minute);
    expect(open.size).toBe(0);
  });
});

describe('workflows whose tasks fail', () => {
  const stuck = (workflowId: string, isNonDeterministic = false): StuckWorkflow => ({
    workflowId,
    workflowType: 'reservation',
    isNonDeterministic,
  });
  let watch = new StuckWatch(new OwnAlerts(alerts));
  beforeEach(() => {
    watch = new StuckWatch(new OwnAlerts(alerts));
  });

  it('are named as Temporal reports them, and cleared with the last', async () => {
    const four = ['reservation-4', 'reservation-1', 'reservation-3', 'reservation-2'].map((id) => stuck(id));
    await watch.check(four, metrics({}), 0);
    expect(open.get(blocked)).toMatch(
      /^4 workflows .*reservation-1, reservation-2, reservation-3 and 1 more .*docs\/runbook\.md#workflow-stuck\.$/,
    );
    expect(open.has(nonDeterminism)).toBe(false);
    await watch.check([stuck('reservation-4', true)], metrics({}), minute);
    expect(open.get(blocked)).toContain('reservation-4 failed twice');
    expect(open.get(nonDeterminism)).toMatch(/release: reservation-4\. .*#non-determinism\.$/);
    await watch.check([], metrics({}), 2 * minute);
    expect(open.size).toBe(0);
  });

  it('are so many or more where as many are listed as are read', async () => {
    const first200 = Array.from({ length: 200 }, (_, id) => stuck(`reservation-${id}`, id < 150));
    await watch.check(first200, metrics({}), 0);
    expect(open.get(blocked)).toMatch(/^200 or more workflows are blocked: .* and at least 197 more failed/);
    expect(open.get(nonDeterminism)).toMatch(/^150 or more histories do not replay/);
    await watch.check(first200.slice(1), metrics({}), minute);
    expect(open.get(blocked)).toMatch(/^199 workflows are blocked: .* and 196 more failed/);
  });

  it('are reported by what the worker has seen where the server reports nothing: twice, and at once where a history does not replay', async () => {
    await watch.check(null, metrics({}), 0);
    await watch.check(null, metrics({ failed: 1 }), minute);
    expect(open.size).toBe(0);
    await watch.check(null, metrics({ failed: 2 }), 2 * minute);
    expect(open.get(blocked)).toContain('workflows of type reservation failed twice');
    await watch.check(null, metrics({ failed: 2 }), 18 * minute);
    expect(open.size).toBe(0);
    await watch.check(null, metrics({ failed: 1, reason: 'NonDeterminismError' }), 20 * minute);
    expect(open.get(nonDeterminism)).toContain('workflows of type reservation');
  });

  it('are not several reads at once that came between two tasks', async () => {
    await watch.check(null, metrics({}), 0);
    await watch.check(null, metrics({ failed: 5 }), minute);
    await watch.check(null, metrics({ failed: 5 }), 2 * minute);
    expect(open.size).toBe(0);
  });

  it('are not those that failed once, and once again two days later', async () => {
    const day = 24 * 60 * minute;
    await watch.check([], metrics({}), 0);
    await watch.check([], metrics({ failed: 1 }), minute);
    await watch.check([], metrics({ failed: 2 }), 2 * day);
    expect(open.size).toBe(0);
    await watch.check([], metrics({ failed: 3 }), 2 * day + 10 * minute);
    expect(open.get(blocked)).toContain('workflows of type reservation');
    // Temporal repeats every ten minutes: the alert stays open in between
    await watch.check([], metrics({ failed: 3 }), 2 * day + 19 * minute);
    expect(open.has(blocked)).toBe(true);
  });

  it('are as the server reports once it has reported one: an empty list clears them at once', async () => {
    await watch.check([], metrics({}), 0);
    await watch.check([stuck('reservation-1')], metrics({ failed: 2 }), minute);
    await watch.check([], metrics({ failed: 2 }), 2 * minute);
    expect(open.size).toBe(0);
  });

  it('are raised again where another process cleared them, and nothing is written where nothing changes', async () => {
    await watch.check([stuck('reservation-1')], metrics({}), 0);
    await watch.check([stuck('reservation-1')], metrics({}), minute / 2);
    expect(raises).toBe(1);
    open.clear();
    await watch.check([stuck('reservation-1')], metrics({}), 2 * minute);
    expect(open.has(blocked)).toBe(true);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { AlertSubject } from '../../src/store/alerts/alerts.js';
import { OwnAlerts } from '../../src/store/alerts/own-alerts.js';
import type { StuckWorkflow } from '../../src/temporal/client/stuck-workflows.js';
import { StuckWatch } from '../../src/temporal/worker/stuck-watch.js';
import { readWorkerFigures } from '../../src/temporal/worker/worker-figures.js';
import { WorkerWatch } from '../../src/temporal/worker/worker-watch.js';

const minute = 60_000;
const open = new Map<string, string>();
let raises = 0;
const keyOf = ({ kind, subject }: AlertSubject) => `${kind} of "${subject}"`;
const alerts = {
  async raise({ message, ...alert }: AlertSubject & { message: string }) {
    raises++;
    if (open.has(keyOf(alert))) return false;
    open.set(keyOf(alert), message);
    return true;
  },
  async reword({ message, ...alert }: AlertSubject & { message: string }) {
    open.set(keyOf(alert), message);
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
/** As the SDK writes them. */
function metrics(seen: {
  begun?: number;
  inTime?: number;
  free?: number;
  used?: number;
  failed?: number;
  reason?: string;
  kind?: string;
}) {
  const { begun = 0, inTime = begun, free = 5, failed = 0, reason = 'WorkflowError' } = seen;
  const { used = 10 - free, kind = 'ActivityWorker' } = seen;
  const labels = 'namespace="default",service_name="temporal-core-sdk",task_queue="handover"';
  return readWorkerFigures(
    [
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
    ].join('\n'),
  );
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
  const kind = 'WorkflowWorker';
  const stalled = { kind, free: 2, used: 38, begun: 500 };
  /** Whether it stalls after three minutes of such readings, one each half. */
  const isStalledAfter = async (reading: (step: number) => Parameters<typeof metrics>[0]) => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    for (let step = 0; step <= 6; step++) await watch.check(metrics(reading(step)), (step * minute) / 2);
    return watch.isStalled(3 * minute);
  };

  it('is stalled: nearly all slots are used, and none has begun for two minutes', async () => {
    expect(await isStalledAfter(() => stalled)).toBe(true);
    expect([...open.keys()]).toEqual(['slots-exhausted of "handover WorkflowWorker"']);
  });

  it('is not, while tasks begin, while slots are free, of activities, or for one minute', async () => {
    expect(await isStalledAfter((step) => ({ ...stalled, begun: 500 + step }))).toBe(false);
    expect(await isStalledAfter(() => ({ ...stalled, free: 30, used: 10 }))).toBe(false);
    expect(await isStalledAfter(() => ({ ...stalled, kind: 'ActivityWorker' }))).toBe(false);
    expect(await isStalledAfter((step) => (step < 4 ? { ...stalled, free: 30, used: 10 } : stalled))).toBe(
      false,
    );
    expect(await isStalledAfter((step) => (step < 4 ? { ...stalled, begun: step } : stalled))).toBe(false);
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

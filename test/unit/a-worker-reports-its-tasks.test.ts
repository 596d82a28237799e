import { beforeEach, describe, expect, it } from 'vitest';
import { OwnAlerts } from '../../src/store/alerts/own-alerts.js';
import type { StuckWorkflow } from '../../src/temporal/client/stuck-workflows.js';
import { StuckWatch } from '../../src/temporal/worker/stuck-watch.js';
import { readWorkerFigures } from '../../src/temporal/worker/worker-figures.js';
import { WorkerWatch } from '../../src/temporal/worker/worker-watch.js';

const minute = 60_000;
const open = new Map<string, string>();
let raises = 0;
const alerts = {
  async raise({ kind, message }: { kind: string; message: string }) {
    raises++;
    if (open.has(kind)) return false;
    open.set(kind, message);
    return true;
  },
  async reword({ kind, message }: { kind: string; message: string }) {
    open.set(kind, message);
  },
  clear: async ({ kind }: { kind: string }) => open.delete(kind),
};
beforeEach(() => {
  open.clear();
  raises = 0;
});

const latency = 'temporal_workflow_task_schedule_to_start_latency_seconds';
/** As the SDK writes them. */
function metrics(seen: { begun?: number; inTime?: number; free?: number; failed?: number; reason?: string }) {
  const { begun = 0, inTime = begun, free = 5, failed = 0, reason = 'WorkflowError' } = seen;
  const labels = 'namespace="default",service_name="temporal-core-sdk",task_queue="handover"';
  return readWorkerFigures(
    [
      `# TYPE ${latency} histogram`,
      `${latency}_bucket{${labels},le="0.1"} 0`,
      `${latency}_bucket{${labels},le="1"} ${inTime}`,
      `${latency}_bucket{${labels},le="+Inf"} ${begun}`,
      `${latency}_count{${labels}} ${begun}`,
      `temporal_worker_task_slots_available{${labels},worker_type="ActivityWorker"} ${free}`,
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
    const passMinutes = async (minutes: number, late: number, from: number) => {
      for (let at = from; at < from + minutes * minute; at += minute / 2) {
        begun += 10;
        inTime += 10 - late;
        await watch.check(metrics({ begun, inTime }), at);
      }
    };
    await passMinutes(4, 5, 0);
    expect([...open.keys()]).toEqual([]);
    await passMinutes(2, 5, 4 * minute);
    expect(open.get('tasks-late')).toMatch(
      /50 % .* queue handover .*Runbook: docs\/runbook\.md#tasks-late\.$/,
    );
    await passMinutes(6, 0, 6 * minute);
    expect([...open.keys()]).toEqual([]);
  });

  it('reports nothing of a few tasks', async () => {
    const watch = new WorkerWatch(new OwnAlerts(alerts));
    for (let at = 0; at < 10 * minute; at += minute) await watch.check(metrics({ begun: 5, inTime: 0 }), at);
    expect(open.size).toBe(0);
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
    expect(open.get('slots-exhausted')).toMatch(/ActivityWorker of the queue handover.*#slots-exhausted\.$/);
    await watch.check(metrics({ free: 1 }), 3 * minute);
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
    expect(open.get('workflow-stuck')).toMatch(
      /^4 workflows .*reservation-1, reservation-2, reservation-3 and 1 more .*docs\/runbook\.md#workflow-stuck\.$/,
    );
    expect(open.has('non-determinism')).toBe(false);
    await watch.check([stuck('reservation-4', true)], metrics({}), minute);
    expect(open.get('workflow-stuck')).toContain('reservation-4 failed twice');
    expect(open.get('non-determinism')).toMatch(/release: reservation-4\. .*#non-determinism\.$/);
    await watch.check([], metrics({}), 2 * minute);
    expect(open.size).toBe(0);
  });

  it('are reported by what the worker has seen where the server reports nothing: twice, and at once where a history does not replay', async () => {
    await watch.check(null, metrics({}), 0);
    await watch.check(null, metrics({ failed: 1 }), minute);
    expect(open.size).toBe(0);
    await watch.check(null, metrics({ failed: 2 }), 2 * minute);
    expect(open.get('workflow-stuck')).toContain('workflows of type reservation failed twice');
    await watch.check(null, metrics({ failed: 2 }), 18 * minute);
    expect(open.size).toBe(0);
    await watch.check(null, metrics({ failed: 1, reason: 'NonDeterminismError' }), 20 * minute);
    expect(open.get('non-determinism')).toContain('workflows of type reservation');
  });

  it('are raised again where another process cleared them, and nothing is written where nothing changes', async () => {
    await watch.check([stuck('reservation-1')], metrics({}), 0);
    await watch.check([stuck('reservation-1')], metrics({}), minute / 2);
    expect(raises).toBe(1);
    open.clear();
    await watch.check([stuck('reservation-1')], metrics({}), 2 * minute);
    expect(open.has('workflow-stuck')).toBe(true);
  });
});

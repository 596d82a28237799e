import { scanQueueOf, taskQueue } from '../../contract/names.js';

/** What a worker's process did since its start, read from the metrics of the SDK. */
export interface WorkerFigures {
  /** Workflow tasks that failed, by workflow type and the SDK's reason. */
  failedTasks: { workflowType: string; reason: string; count: number }[];
  /** Tasks of workflows, and of activities but for scans, which are paced, that began, and those of them that waited one second at most. */
  begunTasks: { queue: string; kind: 'workflows' | 'activities'; count: number; inTime: number }[];
  /** Slots that are free and in use now: of the kinds `WorkflowWorker`, `ActivityWorker`, `LocalActivityWorker`. */
  slots: Slots[];
}

/** Slots for tasks of one kind, of one queue. */
export interface Slots {
  queue: string;
  kind: string;
  free: number;
  used: number;
}

/** The reason that the SDK gives for a history that does not replay. */
export const nonDeterminism = 'NonDeterminismError';

/** By the name of the histogram. */
const latencies = {
  temporal_workflow_task_schedule_to_start_latency_seconds: 'workflows',
  temporal_activity_schedule_to_start_latency_seconds: 'activities',
} as const;
type Latency = keyof typeof latencies;

/** @param text in Prometheus' format; other metrics are skipped */
export function readWorkerFigures(text: string): WorkerFigures {
  const figures: WorkerFigures = { failedTasks: [], begunTasks: [], slots: [] };
  const inTime = new Map<string, number>();
  const used = new Map<string, number>();
  for (const { name, labels, value } of samplesOf(text)) {
    const { task_queue: queue = '' } = labels;
    const [, latency = '', part] = /^(.*_latency_seconds)_(bucket|count)$/.exec(name) ?? [];
    if (latency in latencies) {
      const kind = latencies[latency as Latency];
      if (queue === scanQueueOf(taskQueue)) continue;
      if (part === 'count') figures.begunTasks.push({ queue, kind, count: value, inTime: 0 });
      else if (labels.le === '1') inTime.set(`${queue} ${kind}`, value);
    }
    switch (name) {
      case 'temporal_workflow_task_execution_failed_total': {
        const { workflow_type: workflowType = '', failure_reason: reason = '' } = labels;
        figures.failedTasks.push({ workflowType, reason, count: value });
        break;
      }
      case 'temporal_worker_task_slots_available':
        figures.slots.push({ queue, kind: labels.worker_type ?? '', free: value, used: 0 });
        break;
      case 'temporal_worker_task_slots_used':
        used.set(`${queue} ${labels.worker_type}`, value);
        break;
    }
  }
  for (const tasks of figures.begunTasks) tasks.inTime = inTime.get(`${tasks.queue} ${tasks.kind}`) ?? 0;
  for (const slots of figures.slots) slots.used = used.get(`${slots.queue} ${slots.kind}`) ?? 0;
  return figures;
}

/** Whether tasks wait for a slot. Polls for workflow tasks hold slots too, so that not all of these are ever in use. */
export function isExhausted({ kind, free, used }: Omit<Slots, 'queue'>): boolean {
  if (used === 0) return false;
  return kind === 'WorkflowWorker' ? used >= 0.9 * (free + used) : free === 0;
}

interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }));
}

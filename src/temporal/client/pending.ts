import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Instant } from '../../domain/shared/time.js';
import { ifFound } from './calls.js';

const { EventType } = proto.temporal.api.enums.v1;
type Event = proto.temporal.api.history.v1.IHistoryEvent;

/** What a workflow waits for. */
export interface Pending {
  /** It has work to do, or a request is out. */
  busy: boolean;
  /** When its timers fire, earliest first. */
  timers: Instant[];
}

const idle: Pending = { busy: false, timers: [] };

/** Reads from its history what a workflow waits for: nothing where it does not exist or has ended. */
export async function pendingOf(client: Client, workflowId: string): Promise<Pending> {
  const history = await ifFound(client.workflow.getHandle(workflowId).fetchHistory());
  return history === undefined ? idle : pendingIn(history.events ?? []);
}

/** What a workflow task begins with counts as work until a task that came after it is completed. */
const ignored = new Set<Event['eventType']>([
  EventType.EVENT_TYPE_TIMER_STARTED,
  EventType.EVENT_TYPE_TIMER_CANCELED,
  EventType.EVENT_TYPE_MARKER_RECORDED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
]);
const ended = new Set<Event['eventType']>([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
]);

function pendingIn(events: readonly Event[]): Pending {
  const timers = new Map<string, Instant>();
  const activities = new Set<string>();
  let busy = false;
  for (const event of events) {
    const { eventType } = event;
    if (ended.has(eventType)) return idle;
    if (eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED) busy = false;
    else if (!ignored.has(eventType)) busy = true;
    const started = event.timerStartedEventAttributes;
    if (started) timers.set(`${event.eventId}`, at(event) + ms(started.startToFireTimeout));
    const over = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
    if (over) timers.delete(`${over.startedEventId}`);
    if (event.activityTaskScheduledEventAttributes) activities.add(`${event.eventId}`);
    const done =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    if (done) activities.delete(`${done.scheduledEventId}`);
  }
  return { busy: busy || activities.size > 0, timers: [...timers.values()].sort((a, b) => a - b) };
}

type Moment = { seconds?: unknown; nanos?: number | null } | null | undefined;
/** With its fraction: an instant that is rounded down comes before its timer. */
const ms = (moment: Moment) => Number(moment?.seconds ?? 0) * 1000 + (moment?.nanos ?? 0) / 1e6;
const at = ({ eventTime }: Event) => ms(eventTime);

import type proto from '@temporalio/proto';

export type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

/** Billable Actions of Temporal Cloud by their usage name; https://docs.temporal.io/evaluate/cloud/actions lists them. */
export type ActionCounts = Record<string, number>;

/**
 * Actions that these events of one run account for. Not in a history, so not counted: queries, rejected updates, heartbeats.
 * A start with the first signal is one action, and all markers (local activities, patches) of one workflow task are one.
 */
export function billableActions(events: readonly HistoryEvent[]): ActionCounts {
  const counts: ActionCounts = {};
  const add = (name: string, count = 1) => {
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  };
  const tasksWithMarkers = new Set<string>();
  const start = events[0]?.workflowExecutionStartedEventAttributes;
  const isFirstRun = !start?.continuedExecutionRunId;
  const startedBySignal = isFirstRun && events[1]?.workflowExecutionSignaledEventAttributes != null;
  for (const event of events) {
    if (event.workflowExecutionStartedEventAttributes != null && !startedBySignal) add('start');
    if (event.workflowExecutionSignaledEventAttributes != null) add('signal');
    if (event.workflowExecutionUpdateAcceptedEventAttributes != null) add('update');
    if (event.activityTaskScheduledEventAttributes != null) add('activity');
    add('activity retry', (event.activityTaskStartedEventAttributes?.attempt ?? 1) - 1);
    if (event.timerStartedEventAttributes != null) add('timer');
    if (event.startChildWorkflowExecutionInitiatedEventAttributes != null) add('child workflow', 2);
    if (event.workflowExecutionOptionsUpdatedEventAttributes != null) add('options');
    if (isBilledUpsert(event)) add('search attributes');
    const marker = event.markerRecordedEventAttributes;
    if (marker != null) tasksWithMarkers.add(String(marker.workflowTaskCompletedEventId));
  }
  add('markers', tasksWithMarkers.size);
  return counts;
}

/** The attribute of patches alone is exempt. */
function isBilledUpsert({ upsertWorkflowSearchAttributesEventAttributes: upsert }: HistoryEvent): boolean {
  const names = Object.keys(upsert?.searchAttributes?.indexedFields ?? {});
  return names.some((name) => name !== 'TemporalChangeVersion');
}

export function totalOf(counts: ActionCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

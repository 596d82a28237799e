import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, it } from 'vitest';
import { billableActions, type HistoryEvent, totalOf } from '../../bench/scale/actions.js';

const start = (continuedExecutionRunId?: string): HistoryEvent => ({
  workflowExecutionStartedEventAttributes: { ...(continuedExecutionRunId && { continuedExecutionRunId }) },
});
const signal: HistoryEvent = { workflowExecutionSignaledEventAttributes: {} };
const marker = (task: number): HistoryEvent => ({
  markerRecordedEventAttributes: { workflowTaskCompletedEventId: task as never },
});
const upsert = (...names: string[]): HistoryEvent => ({
  upsertWorkflowSearchAttributesEventAttributes: {
    searchAttributes: { indexedFields: Object.fromEntries(names.map((name) => [name, {}])) },
  },
});

it('a start with its first signal is one action, a start without one is one, and so is a continued run', () => {
  expect(billableActions([start(), signal])).toEqual({ signal: 1 });
  expect(billableActions([start(), {}, signal])).toEqual({ start: 1, signal: 1 });
  expect(billableActions([start('a-run'), signal])).toEqual({ start: 1, signal: 1 });
});

it('all markers of one workflow task are one action', () => {
  expect(billableActions([marker(4), marker(4), marker(9)])).toEqual({ markers: 2 });
});

it('activities, their retries, timers and updates are actions; the attribute of patches is none', () => {
  const events: HistoryEvent[] = [
    { activityTaskScheduledEventAttributes: {} },
    { activityTaskStartedEventAttributes: { attempt: 3 } },
    { timerStartedEventAttributes: {} },
    { workflowExecutionUpdateAcceptedEventAttributes: {} },
    upsert('TemporalChangeVersion'),
    upsert('TemporalChangeVersion', 'HandoverStatus'),
  ];
  expect(billableActions(events)).toEqual({
    activity: 1,
    'activity retry': 2,
    timer: 1,
    update: 1,
    'search attributes': 1,
  });
});

it('a released history of a whole reservation has actions of every usual kind, fewer than its events', () => {
  const folder = 'test/replay/histories/0.3.0';
  const name = readdirSync(folder).find((file) => file === 'on-time.json.gz') ?? '';
  const { events } = historyFromJSON(JSON.parse(gunzipSync(readFileSync(`${folder}/${name}`)).toString()));
  const counts = billableActions(events ?? []);
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['signal', 'update', 'activity', 'markers']));
  expect(totalOf(counts)).toBeLessThan((events ?? []).length / 2);
});

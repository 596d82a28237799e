import { expect, it } from 'vitest';
import { IntakeWatch } from '../../src/inbox/watch.js';
import type { Alerts } from '../../src/store/alerts/alerts.js';

const minute = 60_000;
const hour = 60 * minute;
const settings = { backlogAfterMs: 5 * minute, forwardRetentionMs: 30 * 24 * hour };
const nothingWaits = {
  oldestWaitingAt: null,
  oldestUnjudgedAt: null,
  newestAt: null,
  deadLetters: false,
  oldestForwardAt: null,
  deadPosts: { alerts: false, forward: false },
};
const began = Date.parse('2026-11-21T00:00:00Z');

function watching(silenceAfterMs: number | null = 6 * hour, locked?: string) {
  const changes: string[] = [];
  /** As the table has them: other processes raise and clear them too. */
  const open = new Set<string>();
  let writes = 0;
  const alerts = {
    async raise({ kind: name, subject, message }: Parameters<Alerts['raise']>[0]) {
      const kind = `${name}${subject === '' ? '' : ` ${subject}`}`;
      writes += 1;
      if (name === locked) throw new Error('another process holds a lock on its row');
      expect(message).toMatchObject({ code: `alert.${name}` });
      if (!open.has(kind)) changes.push(`raised ${kind}`);
      return open.size < open.add(kind).size;
    },
    async clear({ kind: name, subject }: { kind: string; subject: string }) {
      const kind = `${name}${subject === '' ? '' : ` ${subject}`}`;
      writes += 1;
      if (open.has(kind)) changes.push(`cleared ${kind}`);
      return open.delete(kind);
    },
  };
  const watch = new IntakeWatch({ ...settings, alerts, silenceAfterMs }, began);
  const look = async (now: number, seen: Partial<Parameters<IntakeWatch['check']>[0]>) => {
    await watch.check({ ...nothingWaits, newestAt: now, ...seen }, now);
    return changes.splice(0);
  };
  return { look, open, writes: () => writes };
}

it('a backlog is raised once when the oldest event waits too long, and cleared when it is drained', async () => {
  const { look } = watching();
  expect(await look(began, {})).toEqual([]);
  const at = began + hour;
  expect(await look(at, { oldestWaitingAt: at - 4 * minute })).toEqual([]);
  expect(await look(at, { oldestWaitingAt: at - 5 * minute })).toEqual(['raised intake-backlog']);
  expect(await look(at, { oldestWaitingAt: at - 50 * minute })).toEqual([]);
  expect(await look(at, { oldestWaitingAt: at - 4 * minute })).toEqual([]);
  expect(await look(at, { oldestWaitingAt: at - 10_000 })).toEqual(['cleared intake-backlog']);
  expect(await look(at, {})).toEqual([]);
});

it('an alert that cannot be written holds up no other', async () => {
  const { look, open } = watching(6 * hour, 'intake-backlog');
  const at = began + hour;
  const late = at - 10 * minute;
  const seen = { oldestWaitingAt: late, oldestUnjudgedAt: late, deadLetters: true };
  await expect(look(at, seen)).rejects.toThrow('a lock on its row');
  expect([...open]).toEqual(['intake-unjudged', 'intake-dead-letters']);
});

it('events that a workflow received without a verdict have their own alert, which hides no backlog', async () => {
  const { look } = watching();
  await look(began, {});
  const at = began + hour;
  expect(await look(at, { oldestUnjudgedAt: at - minute })).toEqual([]);
  expect(await look(at, { oldestUnjudgedAt: at - 5 * minute })).toEqual(['raised intake-unjudged']);
  const unjudged = { oldestUnjudgedAt: at - 4 * minute };
  expect(await look(at, { oldestWaitingAt: at, ...unjudged })).toEqual([]);
  const both = { oldestWaitingAt: at - 5 * minute, ...unjudged };
  expect(await look(at, both)).toEqual(['raised intake-backlog']);
  expect(await look(at, unjudged)).toEqual(['cleared intake-backlog']);
  expect(await look(at, {})).toEqual(['cleared intake-unjudged']);
});

it('silence is raised when no event came for the period, also where none ever came, and cleared by the next', async () => {
  const { look } = watching();
  await look(began, { newestAt: null });
  expect(await look(began + 5 * hour, { newestAt: null })).toEqual([]);
  expect(await look(began + 6 * hour, { newestAt: null })).toEqual(['raised intake-silent']);
  expect(await look(began + 7 * hour, { newestAt: began + 7 * hour })).toEqual(['cleared intake-silent']);
  expect(await look(began + 13 * hour, { newestAt: began + 7 * hour })).toEqual(['raised intake-silent']);
});

it('without any event, a watch that has just begun clears no silence that an earlier one raised', async () => {
  const { look, open } = watching();
  open.add('intake-silent');
  expect(await look(began, { newestAt: null })).toEqual([]);
  expect(await look(began + 5 * hour, { newestAt: null })).toEqual([]);
  expect([...open]).toEqual(['intake-silent']);
  expect(await look(began + 5 * hour, { newestAt: began + 5 * hour })).toEqual(['cleared intake-silent']);
});

it('a process that has just started waits for the period before it raises silence of an old inbox', async () => {
  const { look } = watching();
  await look(began, { newestAt: began - 100 * hour });
  expect(await look(began + 14 * minute, { newestAt: began - 100 * hour })).toEqual([]);
  expect(await look(began + 15 * minute, { newestAt: began - 100 * hour })).toEqual(['raised intake-silent']);
});

it('a deployment that expects no callbacks any more clears silence, and never raises it', async () => {
  const { look, open } = watching(null);
  open.add('intake-silent');
  expect(await look(began, { newestAt: null })).toEqual(['cleared intake-silent']);
  expect(await look(began + 1_000 * hour, { newestAt: null })).toEqual([]);
});

it('F75: stuck forwarding is raised once, as an alert of its own, and cleared when the oldest waiting event is young again', async () => {
  const { look } = watching();
  await look(began, {});
  const at = began + hour;
  expect(await look(at, { oldestForwardAt: at - 4 * minute })).toEqual([]);
  expect(await look(at, { oldestForwardAt: at - 5 * minute })).toEqual(['raised forward-stuck']);
  expect(await look(at, { oldestForwardAt: at - 2 * minute })).toEqual([]);
  expect(await look(at, {})).toEqual(['cleared forward-stuck']);
});

it('dead letters are raised while there are any', async () => {
  const { look } = watching();
  await look(began, {});
  expect(await look(began + 1, { deadLetters: true })).toEqual(['raised intake-dead-letters']);
  expect(await look(began + 2, { deadLetters: true })).toEqual([]);
  expect(await look(began + 3, { deadLetters: false })).toEqual(['cleared intake-dead-letters']);
});

it('posts that were given up are raised per receiver, while there are any', async () => {
  const { look } = watching();
  await look(began, {});
  const of = (alerts: boolean, forward: boolean) => ({ deadPosts: { alerts, forward } });
  expect(await look(began + 1, of(false, true))).toEqual(['raised outbox-dead-letters forward']);
  expect(await look(began + 2, of(true, true))).toEqual(['raised outbox-dead-letters alerts']);
  expect(await look(began + 3, of(true, false))).toEqual(['cleared outbox-dead-letters forward']);
});

it('an alert that another process raised or cleared since is corrected within a minute', async () => {
  const { look, open } = watching();
  const at = began + hour;
  expect(await look(at, { oldestWaitingAt: at - 5 * minute })).toEqual(['raised intake-backlog']);
  open.clear();
  const soon = at + minute;
  expect(await look(soon, { oldestWaitingAt: at - 5 * minute })).toEqual(['raised intake-backlog']);
  expect(await look(soon + 1, {})).toEqual(['cleared intake-backlog']);
  open.add('intake-backlog');
  expect(await look(soon + 1 + minute, {})).toEqual(['cleared intake-backlog']);
});

it('nothing is written between two minutes without a change', async () => {
  const { look, writes } = watching();
  await look(began, {});
  const before = writes();
  for (let s = 10; s < 60; s += 10) await look(began + s * 1_000, {});
  expect(writes()).toBe(before);
});

it('an alert that another process left open is cleared by the first check where it no longer holds', async () => {
  const changes: string[] = [];
  const alerts = {
    raise: async () => true,
    clear: async ({ kind }: { kind: string }) => {
      changes.push(kind);
      return true;
    },
  };
  await new IntakeWatch({ ...settings, alerts, silenceAfterMs: hour }, began).check(
    { ...nothingWaits, newestAt: began },
    began,
  );
  expect(changes.sort()).toEqual([
    'forward-stuck',
    'intake-backlog',
    'intake-dead-letters',
    'intake-silent',
    'intake-unjudged',
    'outbox-dead-letters',
    'outbox-dead-letters',
  ]);
});

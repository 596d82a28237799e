import { expect, it } from 'vitest';
import { IntakeWatch } from '../../src/intake/watch.js';

const minute = 60_000;
const hour = 60 * minute;
const settings = { backlogAfterMs: 5 * minute, forwardsKeptMs: 30 * 24 * hour };
const nothingWaits = {
  oldestWaitingAt: null,
  oldestUnjudgedAt: null,
  newestAt: null,
  deadLetters: false,
  oldestForwardAt: null,
};
const began = Date.parse('2026-11-21T00:00:00Z');

function watching(silenceAfterMs: number | null = 6 * hour) {
  const told: string[] = [];
  const tell =
    (change: string) =>
    async ({ kind, message = '' }: { kind: string; message?: string }) => {
      told.push(`${change} ${kind}`);
      if (change === 'raised') expect(message).toMatch(/\S/);
      return true;
    };
  const alerts = { raise: tell('raised'), clear: tell('cleared') };
  const watch = new IntakeWatch({ ...settings, alerts, silenceAfterMs }, began);
  const look = async (now: number, seen: Partial<Parameters<IntakeWatch['look']>[0]>) => {
    await watch.look({ ...nothingWaits, newestAt: now, ...seen }, now);
    return told.splice(0).filter((line) => !(now === began && line.startsWith('cleared')));
  };
  return { look };
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

it('an event that its workflow has and does not judge is a backlog too', async () => {
  const { look } = watching();
  await look(began, {});
  const at = began + hour;
  expect(await look(at, { oldestUnjudgedAt: at - minute })).toEqual([]);
  expect(await look(at, { oldestUnjudgedAt: at - 5 * minute })).toEqual(['raised intake-backlog']);
  expect(await look(at, { oldestWaitingAt: at, oldestUnjudgedAt: at - 4 * minute })).toEqual([]);
  expect(await look(at, {})).toEqual(['cleared intake-backlog']);
});

it('silence is raised when no event came for so long, also where none ever came, and cleared by the next', async () => {
  const { look } = watching();
  await look(began, { newestAt: null });
  expect(await look(began + 5 * hour, { newestAt: null })).toEqual([]);
  expect(await look(began + 6 * hour, { newestAt: null })).toEqual(['raised intake-silent']);
  expect(await look(began + 7 * hour, { newestAt: began + 7 * hour })).toEqual(['cleared intake-silent']);
  expect(await look(began + 13 * hour, { newestAt: began + 7 * hour })).toEqual(['raised intake-silent']);
});

it('a process that has just begun gives the platform time to come again before it calls an old inbox silent', async () => {
  const { look } = watching();
  await look(began, { newestAt: began - 100 * hour });
  expect(await look(began + 14 * minute, { newestAt: began - 100 * hour })).toEqual([]);
  expect(await look(began + 15 * minute, { newestAt: began - 100 * hour })).toEqual(['raised intake-silent']);
});

it('a deployment that hears no callbacks is never silent', async () => {
  const { look } = watching(null);
  await look(began, { newestAt: null });
  expect(await look(began + 1_000 * hour, { newestAt: null })).toEqual([]);
});

it('F75: forwarding that is stuck is raised once, by itself, and cleared when what waits is young again', async () => {
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

it('what another process left open is cleared by the first look where it no longer holds', async () => {
  const told: string[] = [];
  const alerts = {
    raise: async () => true,
    clear: async ({ kind }: { kind: string }) => {
      told.push(kind);
      return true;
    },
  };
  await new IntakeWatch({ ...settings, alerts, silenceAfterMs: hour }, began).look(
    { ...nothingWaits, newestAt: began },
    began,
  );
  expect(told.sort()).toEqual(['forward-stuck', 'intake-backlog', 'intake-dead-letters', 'intake-silent']);
});

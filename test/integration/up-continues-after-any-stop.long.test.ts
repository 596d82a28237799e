import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../../src/temporal/server/process-info.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready, type Run, readJson } from '../support/process.js';

/** One test continues where the one before stopped: one deployment, started four times. */
let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
});
afterAll(() => deployment?.remove());

const ends: Record<string, number> = { 'on-time': 35, weekend: 35, cancelled: 40, 'no-show': 45, late: 35 };
const stories = new Map<string, string>();
const line = /^ +✓? +(\d+) +(on-time|weekend|cancelled|no-show|late) /gm;

/** The stories that a run shows, by name. */
function shownBy(run: Run): Map<string, string> {
  return new Map([...run.stdout.matchAll(line)].map(([, id = '', story = '']) => [story, id]));
}

/** Waits until it has moved one of its stories. */
const moved = (run: Run) => run.says(/^ .* \d+ → \d+ /m);

/** It ended well, and so did its engine. */
async function endsWell(run: Run, engine: number | undefined): Promise<void> {
  expect(await run.ended).toBe(0);
  expect(run.stdout).toContain('Stopped. The next start continues here.');
  expect(engine).toBeDefined();
  expect(isAlive(engine ?? 0)).toBe(false);
}

it('a Ctrl-C under `npm start`, which reaches npm and the product, ends with 0 and leaves no process', async () => {
  const run = deployment.npmStart(['--demo-pace', '1500']);
  await moved(run);
  await eventually('it shows five stories', () => shownBy(run).size === 5);
  for (const [story, id] of shownBy(run)) stories.set(story, id);
  const engine = deployment.enginePid();
  run.signal('SIGINT', 'group');
  await endsWell(run, engine);
}, 150_000);

it('a restart continues with the same reservations; a signal to npm alone stops it too', async () => {
  const run = deployment.npmStart(['--demo-pace', '1500']);
  await moved(run);
  for (const [story, id] of shownBy(run)) expect(id).toBe(stories.get(story));
  const engine = deployment.enginePid();
  run.signal('SIGINT');
  await endsWell(run, engine);
}, 150_000);

it('a Ctrl-C during the start stops every part that has begun', async () => {
  const run = deployment.run(['up']);
  const engine = await eventually('the engine was begun', () => deployment.enginePid(), 60_000);
  run.signal('SIGINT');
  await endsWell(run, engine);
}, 90_000);

it('a process that was killed with commands and callbacks in flight takes over the engine and completes every reservation', async () => {
  const killed = deployment.run(['up', '--demo-pace', '0']);
  await moved(killed);
  await killed.kill();
  const engine = deployment.enginePid() ?? 0;
  expect(isAlive(engine)).toBe(true);

  const run = deployment.run(['up', '--demo-pace', '0']);
  const at = await run.ready();
  expect(deployment.enginePid()).toBe(engine);
  const [, ended, played] = await run.says(/(\d) of (\d) reservations ended as planned/, 120_000);
  expect(ended).toBe(played);
  for (const [story, id] of stories) await endedOnce(at, story, id);
  await eventually('every event has its verdict', async () => {
    const { items } = await readJson<{ items: { state: string }[] }>(
      `${at.api}/api/inbox?limit=500`,
      at.tokens.viewer,
    );
    return items.length > 40 && items.every(({ state }) => state === 'done');
  });
  run.signal('SIGTERM');
  await endsWell(run, engine);
}, 240_000);

/** Here and on the platform the same end, and no state was set twice. */
async function endedOnce(at: Ready, story: string, id: string): Promise<void> {
  const key = deployment.supplierKey();
  const ours = await readJson<{ status: { code: number } }>(
    `${at.api}/api/reservations/${id}`,
    at.tokens.viewer,
  );
  const truth = await readJson<{ moves: { to: number }[]; reservationStatus: number }>(
    `${at.sandbox}/sandbox/reservations/${id}`,
    key,
  );
  expect([story, ours.status.code, truth.reservationStatus]).toEqual([story, ends[story], ends[story]]);
  const { items } = await readJson<{ items: { operation: string; effect: string }[] }>(
    `${at.sandbox}/sandbox/journal?kind=request&reservationId=${id}&limit=500`,
    key,
  );
  const applied = items.filter(({ effect }) => effect === 'applied').map(({ operation }) => operation);
  const moving = applied.filter((operation) => /Start$|Complete$/.test(operation));
  expect(moving).toEqual([...new Set(moving)]);
}

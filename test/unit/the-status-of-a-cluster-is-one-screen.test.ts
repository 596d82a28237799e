import { expect, it } from 'vitest';
import { componentsOf, failing } from '../../src/tools/status/components.js';
import { isSound, toScreen } from '../../src/tools/status/screen.js';
import type { Status } from '../../src/tools/status/types.js';

const queues = ['handover', 'handover-bookings', 'handover-database', 'handover-scan'];
const target = { address: 'temporal.example:7233', namespace: 'default' };
const pollersOf = (count: number, buildId: string | null) =>
  Array.from({ length: count }, (_, one) => ({ identity: `${one}@worker-${one}, of a pod`, buildId }));
const componentsWith = (pollers: ReturnType<typeof pollersOf>) =>
  componentsOf(
    {
      serverVersion: '1.30.0',
      workers: queues.map((queue) => ({ queue, pollers })),
      stuck: [],
      current: { buildId: 'b2' },
    },
    target,
  );
const answers = { name: 'database', state: 'ok' as const, detail: 'answers' };

/** A cluster of eight workers where nothing fails. */
const sound: Status = {
  asOf: '2030-01-01T00:00:00.000Z',
  version: '0.4.0',
  components: [answers, ...componentsWith(pollersOf(8, 'b2'))],
  statusApis: [
    { address: '10.0.1.1', release: '0.4.0-b2' },
    { address: '10.0.1.2', release: null },
  ],
  intake: {
    waiting: 0,
    oldestWaitingSeconds: null,
    unjudged: 0,
    oldestUnjudgedSeconds: null,
    deadLetters: 0,
    shards: {
      held: 16,
      of: 16,
      processes: Array.from({ length: 8 }, (_, one) => ({ shards: 2, address: `10.0.0.${one}` })),
    },
  },
  suspendedRoles: [],
  alerts: [],
  stuckWorkflows: [],
};

it('eight workers are one screen, with one line for each queue', () => {
  const lines = toScreen(sound).split('\n');
  expect(lines.length).toBeLessThan(24);
  expect(lines.filter((line) => line.includes('worker of '))).toEqual(
    queues.map((queue) => expect.stringMatching(new RegExp(`^  ✓ worker of ${queue} +8 poll, version b2$`))),
  );
  // every worker is in the JSON
  expect(sound.components.filter(({ name }) => name === 'worker of handover')).toHaveLength(8);
});

it('during an update each version has its line; one worker alone keeps its identity', () => {
  const workers = componentsWith([...pollersOf(1, null), ...pollersOf(3, 'b1'), ...pollersOf(2, 'b2')]);
  const shown = toScreen({ ...sound, components: workers.slice(0, 7) });
  const details = [...shown.matchAll(/worker of handover +(.+)/g)].map(([, detail]) => detail);
  expect(details).toEqual(['0@worker-0, of a pod, no version', '3 poll, version b1', '2 poll, version b2']);
});

it('what fails is first, and of many components eight lines are shown', () => {
  const components = [
    answers,
    ...componentsWith([...pollersOf(3, 'b1'), ...pollersOf(2, 'b2')]),
    failing('worker of another', 'none polls'),
  ];
  const lines = toScreen({ ...sound, components }).split('\n');
  expect(lines[2]).toMatch(/✗ worker of another +none polls$/);
  expect(lines.slice(2, 11).filter((line) => /[✓✗]/.test(line))).toHaveLength(8);
  expect(lines[10]).toBe('    and 4 more (--json has all)');
});

it('what was sent and has no verdict stands beside what waits, with the age of the oldest', () => {
  const shown = toScreen({
    ...sound,
    intake: sound.intake && { ...sound.intake, waiting: 900, unjudged: 64, oldestUnjudgedSeconds: 7 },
  });
  expect(shown).toMatch(/waiting callbacks +900\n.+\n +sent, without a verdict +64, the oldest for 7 s\n/);
  expect(toScreen(sound)).toMatch(/sent, without a verdict +0\n/);
  expect(toScreen({ ...sound, intake: null })).toMatch(/sent, without a verdict +cannot be read\n/);
});

it('a deployment is sound where every part answers, and not where no process serves a status API', () => {
  expect(isSound(sound)).toBe(true);
  expect(isSound({ ...sound, statusApis: [] })).toBe(false);
  expect(isSound({ ...sound, intake: null })).toBe(false);
  expect(isSound({ ...sound, components: [failing('Temporal', 'away')] })).toBe(false);
});

import { expect, it } from 'vitest';
import type { TemporalStatus } from '../../src/temporal/client/cluster-status.js';
import { componentsOf } from '../../src/tools/status/components.js';

const target = { address: 'temporal.example:7233', namespace: 'handover' };
const shown = (builds: (string | null)[], current: TemporalStatus['current']) =>
  componentsOf(
    {
      serverVersion: '1.31.0',
      workers: [{ queue: 'handover', pollers: builds.map((buildId) => ({ identity: 'a worker', buildId })) }],
      stuck: [],
      ...(current && { current }),
    },
    target,
  ).find(({ name }) => name === 'workers of the current version');

it.each([
  ['its workers poll', ['0.4.0', '0.5.0'], '0.5.0', 'ok'],
  ['only workers of another version poll', ['0.4.0'], '0.5.0', 'failing'],
  ['workers without a version are current, and poll', [null], null, 'ok'],
  ['no version is promoted yet, and no worker without one polls', ['0.5.0'], null, 'failing'],
] as const)('%s', (_, builds, buildId, state) => {
  expect(shown([...builds], { buildId })).toMatchObject({ state });
});

it('where workers have no versions, nothing is shown', () => {
  expect(shown([null], undefined)).toBeUndefined();
});

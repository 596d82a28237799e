import { expect, it } from 'vitest';
import { toScreen } from '../../src/tools/status/screen.js';
import type { Component, Status } from '../../src/tools/status/types.js';

const temporal = (state: Component['state']): Status => ({
  asOf: '2030-01-01T00:00:00.000Z',
  version: '0.4.0',
  components: [{ name: 'Temporal', state, detail: 'temporal.example:7233' }],
  statusApis: null,
  intake: null,
  suspendedRoles: null,
  alerts: null,
  stuckWorkflows: null,
});

it.each([
  [0, '0'],
  [199, '199'],
  [200, '200 or more'],
])('of %i stuck workflows, of which 200 are listed at most', (count, shown) => {
  const stuckWorkflows = Array.from({ length: count }, (_, id) => `reservation-${id}`);
  expect(toScreen({ ...temporal('ok'), stuckWorkflows })).toMatch(
    new RegExp(`stuck workflows +${shown}$`, 'm'),
  );
});

it('each process with a status API is shown by its address and release', () => {
  const shown = toScreen({
    ...temporal('ok'),
    statusApis: [
      { address: '10.0.0.5', release: '0.4.0' },
      { address: null, release: null },
    ],
  });
  expect(shown).toMatch(/status APIs +2\n +at 10\.0\.0\.5 \(0\.4\.0\), at the machine of the database\n/);
  expect(toScreen({ ...temporal('ok'), statusApis: [] })).toMatch(/status APIs +0$/m);
  expect(toScreen(temporal('ok'))).toMatch(/status APIs +cannot be read$/m);
});

it.each([
  ['Temporal does not answer', 'failing', 'cannot be read'],
  ['its server does not report them', 'ok', 'not reported by the server'],
] as const)('stuck workflows where %s', (_, state, shown) => {
  const row = toScreen(temporal(state))
    .split('\n')
    .find((line) => line.includes('stuck workflows'));
  expect(row).toMatch(new RegExp(`stuck workflows +${shown}$`));
});

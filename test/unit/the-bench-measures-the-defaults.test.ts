import { expect, it } from 'vitest';
import { environment } from '../../bench/program-settings.js';
import { removed } from '../../src/app/config/removed.js';
import { variables } from '../../src/app/config/variables.js';

const set = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'of the shell']));

it('no setting of the shell reaches a measured program', () => {
  const names = [
    ...Object.keys(variables),
    ...Object.keys(removed),
    'TEMPORAL_ADDRESS',
    'TEMPORAL_DEBUG',
    'HANDOVER_TEST_DATABASE_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'MALLOC_ARENA_MAX',
    'MALLOC_TRIM_THRESHOLD_',
  ];
  expect(environment(set(names.filter((name) => name !== 'TEMPORAL_CLI_PATH')))).toEqual({});
});

it('what every program needs, and where the engine is, reaches it', () => {
  const needed = set(['PATH', 'HOME', 'XDG_CACHE_HOME', 'https_proxy', 'TEMPORAL_CLI_PATH']);
  expect(environment(needed)).toEqual(needed);
});

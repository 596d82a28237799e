import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runApi } from '../../src/app/commands/api.js';
import { runWorker } from '../../src/app/commands/worker.js';
import { loadConfig } from '../../src/app/config/index.js';

const env = {
  DATABASE_URL: 'postgres://handover@127.0.0.1:1/handover',
  HANDOVER_TOKENS: 'staff:t',
  PLATFORM_BASE_URL: 'http://127.0.0.1:1',
  PLATFORM_SUPPLIER_API_KEY: 'k',
};

it.each([
  ['api', runApi],
  ['worker', runWorker],
])('L60: `handover %s` without CODEC_KEYS reports this in one line, and does nothing', async (name, run) => {
  const error = await run(env).catch((failure) => failure);
  expect(error.message).toMatch(new RegExp(`^\`handover ${name}\` needs CODEC_KEYS: [^\n]+$`));
});

it('docker-compose.yml gives both parts one key for trials, and one token to api and Temporal UI', async () => {
  const compose = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
  const defaultOf = (variable: string) =>
    new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)?.[1] ?? '';
  const { codec } = loadConfig({
    CODEC_KEYS: defaultOf('CODEC_KEYS'),
    CODEC_ENDPOINT_TOKEN: defaultOf('CODEC_ENDPOINT_TOKEN'),
  });
  expect(codec.keys.map(({ id }) => id)).toEqual(['try']);
  expect(compose).toContain(`/codec/\${CODEC_ENDPOINT_TOKEN:-${codec.endpointToken}}`);
});

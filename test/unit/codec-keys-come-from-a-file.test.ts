import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/index.js';

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const load = (env: Record<string, string>) => loadConfig(env, { receives: false }).codec.keys;
const file = async (content: string) => {
  const path = join(folder, 'keys');
  await writeFile(path, content);
  return path;
};

it('entries on lines or between commas are those of CODEC_KEYS, in their order', async () => {
  const expected = load({ CODEC_KEYS: `${key('new', 1)},${key('old', 2)}` });
  expect(expected.map(({ id }) => id)).toEqual(['new', 'old']);
  for (const content of [`${key('new', 1)}\n${key('old', 2)}\n`, `${key('new', 1)}, ${key('old', 2)}\r\n`])
    expect(load({ CODEC_KEYS_FILE: await file(content) })).toEqual(expected);
});

it('a file that is missing or empty, or stands beside CODEC_KEYS, is refused', async () => {
  expect(() => load({ CODEC_KEYS_FILE: join(folder, 'none') })).toThrow('CODEC_KEYS_FILE names a file');
  const path = await file('\n');
  expect(() => load({ CODEC_KEYS_FILE: path })).toThrow('names an empty file');
  expect(() => load({ CODEC_KEYS_FILE: path, CODEC_KEYS: key('one', 1) })).toThrow('beside CODEC_KEYS');
});

it('a wrong entry is refused without its content', async () => {
  const path = await file('one:a-secret-that-is-no-key');
  expect(() => load({ CODEC_KEYS_FILE: path })).toThrow(/CODEC_KEYS entry 1/);
  expect(() => load({ CODEC_KEYS_FILE: path })).not.toThrow(/a-secret/);
});

import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';

const run = promisify(execFile);
const page = readFileSync('docs/sandbox.md', 'utf8');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```json\n([\s\S]*?)^```\n)?/gm)].map(
  ([, script = '', expected]) => ({
    script,
    expected,
    title: script.split('\n').find((line) => line.startsWith('curl')) ?? '',
  }),
);
const hasCurl = has('bash') && has('curl');

let sandbox: TestSandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  folder = await mkdtemp(join(tmpdir(), 'handover-examples-'));
});
afterAll(async () => {
  await sandbox.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('docs/sandbox.md has an example for each area, each with its output', () => {
  expect(blocks.length).toBeGreaterThan(15);
  expect(blocks.filter(({ expected }) => expected === undefined)).toEqual([]);
  for (const area of ['/product', '/car', '/reservations', '/dispatch/', '/recall/', '/schedule'])
    expect(
      blocks.some(({ script }) => script.includes(area)),
      area,
    ).toBe(true);
});

it.runIf(hasCurl).each(blocks)('$title', async ({ script, expected = '' }) => {
  const env = {
    PATH: process.env.PATH,
    BASE: sandbox.url,
    CHANNEL: `Authorization: Bearer ${keys.channel}`,
    SUPPLIER: `Authorization: Bearer ${keys.supplier}`,
    JSON: 'Content-Type: application/json',
    NO_PROXY: '*',
  };
  const { stdout } = await run('bash', ['-euc', script], { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject(JSON.parse(expected));
});

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

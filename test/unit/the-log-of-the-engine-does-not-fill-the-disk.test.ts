import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundEngineLog } from '../../src/temporal/server/engine-log.js';

let folder: string;
let log: string;
let end: () => void;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-engine-log-'));
  log = join(folder, 'engine.log');
  await appendFile(log, '');
  end = boundEngineLog(log, { maxBytes: 100, everyMs: 10 });
});
afterEach(async () => {
  end();
  await rm(folder, { recursive: true });
});

const sizeOf = async (path: string) => (await stat(path)).size;

it('a log that the engine has open is rotated beyond its bound, and the engine continues in an empty file', async () => {
  const engine = await open(log, 'a');
  await engine.write('x'.repeat(101));
  await expect.poll(() => sizeOf(log)).toBe(0);
  expect(await sizeOf(`${log}.1`)).toBe(101);
  await engine.write('more');
  expect(await readFile(log, 'utf8')).toBe('more');
  await engine.close();
});

it('a log that cannot be rotated is emptied at twice the size', async () => {
  await mkdir(join(`${log}.1`, 'in-the-way'), { recursive: true });
  end();
  end = boundEngineLog(log, { maxBytes: 100, everyMs: 10 });
  await appendFile(log, 'x'.repeat(150));
  // a few checks pass, and the log grows on
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await sizeOf(log)).toBe(150);
  await appendFile(log, 'x'.repeat(60));
  await expect.poll(() => sizeOf(log)).toBe(0);
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { testDataConverter } from '../support/codec.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';
import { stories } from '../support/stories.js';

const folder = fileURLToPath(new URL('./histories/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);
const load = (file: string): string => readFileSync(folder + file, 'utf8');

async function replay(json: string): Promise<Error | undefined> {
  installTestRuntime();
  const history = historyFromJSON(JSON.parse(json));
  const { codePath } = workflowBundle();
  const results = Worker.runReplayHistories(
    { workflowBundle: { codePath }, dataConverter: testDataConverter },
    [{ workflowId: 'reservation-1', history }],
  );
  for await (const { error } of results) return error;
  throw new Error('nothing was replayed');
}

describe('golden histories', () => {
  it('cover every story', () => {
    const recorded = files.map((file) => file.replace(/^.*\//, '').replace(/(\.\d+)?\.json$/, ''));
    expect([...new Set(recorded)].sort()).toEqual(Object.keys(stories).sort());
  });

  it.each(files)('%s: recorded from a real run, replays on the code of today', async (file) => {
    expect(await replay(load(file))).toBeUndefined();
  });

  it('a tampered history fails (negative control)', async () => {
    const file = files.find((name) => name.includes('on-time')) ?? expect.fail('no history recorded');
    const tampered = load(file).replaceAll('"dispatchComplete"', '"dispatchCancel"');
    expect(tampered).not.toBe(load(file));
    expect((await replay(tampered))?.name).toBe('DeterminismViolationError');
  });
});

import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDataConverter } from '../support/codec.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';
import { goldenFiles, readGolden, storyOf } from '../support/golden.js';
import { nameOf, scenarios } from '../support/stage.js';
import { stories } from '../support/stories.js';

const files = goldenFiles();

/** Why each history does not replay; undefined for one that does. */
async function replayed(histories: readonly [string, string][]): Promise<Map<string, Error | undefined>> {
  installTestRuntime();
  const { codePath } = workflowBundle();
  const results = Worker.runReplayHistories(
    { workflowBundle: { codePath }, dataConverter: testDataConverter },
    histories.map(([workflowId, json]) => ({ workflowId, history: historyFromJSON(JSON.parse(json)) })),
  );
  const errors = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of results) errors.set(workflowId, error);
  return errors;
}

describe('golden histories', () => {
  let errors: Map<string, Error | undefined>;
  beforeAll(async () => {
    errors = await replayed(files.map((file) => [file, readGolden(file)]));
  });

  it('cover every story and every scenario', () => {
    const skipping = scenarios.filter(({ real }) => !real);
    const told = [...Object.keys(stories), ...skipping.map((scenario) => `scenarios/${nameOf(scenario)}`)];
    expect([...new Set(files.map(storyOf))].sort()).toEqual(told.sort());
  });

  it.each(files)('%s: recorded from a real run, replays on the code of today', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });

  it('a tampered history fails (negative control)', async () => {
    const file = files.find((name) => name.includes('on-time')) ?? expect.fail('no history recorded');
    const tampered = readGolden(file).replaceAll('"dispatchComplete"', '"dispatchCancel"');
    expect(tampered).not.toBe(readGolden(file));
    const found = await replayed([[file, tampered]]);
    expect(found.get(file)?.name).toBe('DeterminismViolationError');
  });
});

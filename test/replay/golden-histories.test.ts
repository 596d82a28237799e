import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodec } from '../../src/temporal/codec.js';
import { publicTestKey, replayDataConverter } from '../support/codec.js';
import { type Emitted, noting, textOf } from '../support/emitted.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';
import { goldenFiles, readGolden, storyOf } from '../support/golden.js';
import { nameOf, scenarios } from '../support/stage.js';
import { stories } from '../support/stories.js';

const files = goldenFiles();

/** Why each history does not replay; undefined for one that does. */
async function replayed(
  histories: readonly [string, string][],
  { converter: dataConverter, sinks }: Partial<ReturnType<typeof noting>> = {
    converter: replayDataConverter,
  },
): Promise<Map<string, Error | undefined>> {
  installTestRuntime();
  const { codePath } = workflowBundle();
  const results = Worker.runReplayHistories(
    { workflowBundle: { codePath }, ...(dataConverter && { dataConverter }), ...(sinks && { sinks }) },
    histories.map(([workflowId, json]) => ({ workflowId, history: historyFromJSON(JSON.parse(json)) })),
  );
  const errors = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of results) errors.set(workflowId, error);
  return errors;
}

/** The history as if the sender of its signals and updates had not encrypted them. */
async function inTheClear(json: string): Promise<{ json: string; messages: number }> {
  const codec = createCodec([publicTestKey]);
  const history = historyFromJSON(JSON.parse(json));
  let messages = 0;
  for (const event of history.events ?? []) {
    const input =
      event.workflowExecutionSignaledEventAttributes?.input ??
      event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args;
    if (!input?.payloads?.length) continue;
    input.payloads = await codec.decode(input.payloads);
    messages++;
  }
  return { json: historyToJSON(history), messages };
}

const versions = [...new Set(files.map((file) => file.split('/')[0] ?? ''))];

describe('golden histories', () => {
  const errors = new Map<string, Error | undefined>();
  const emitted = new Map<string, Emitted>();
  beforeAll(async () => {
    for (const version of versions) {
      const noted = noting(replayDataConverter);
      const own = files.filter((file) => file.startsWith(`${version}/`));
      const found = await replayed(
        own.map((file) => [file, readGolden(file)]),
        noted,
      );
      for (const [file, error] of found) errors.set(file, error);
      emitted.set(version, noted.emitted);
    }
  }, 180_000);

  it.each(versions)('of %s emit the verdicts and entries that are on record', async (version) => {
    const today = emitted.get(version) ?? new Map();
    expect(today.size).toBeGreaterThan(0);
    // docs/changing-workflows.md says when it may change
    await expect(textOf(today)).toMatchFileSnapshot(`./emitted/${version}.txt`);
  });

  it('cover every story and every scenario', () => {
    const skipping = scenarios.filter(({ real }) => !real);
    const expectedNames = [
      ...Object.keys(stories),
      ...skipping.map((scenario) => `scenarios/${nameOf(scenario)}`),
    ];
    expect([...new Set(files.map(storyOf))].sort()).toEqual(expectedNames.sort());
  });

  it.each(files)('%s: recorded from a real run, replays on the code of today', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });

  it('messages that an earlier release accepted without encryption replay as they were accepted', async () => {
    const old = files.filter((file) => /^0\.[12]\.0\/(on-time|scenarios)/.test(file)).slice(0, 8);
    const clear = await Promise.all(
      old.map(async (file) => ({ file, ...(await inTheClear(readGolden(file))) })),
    );
    expect(clear.reduce((sum, { messages }) => sum + messages, 0)).toBeGreaterThan(8);
    const found = await replayed(clear.map(({ file, json }) => [file, json]));
    for (const { file } of clear) expect([file, found.get(file)]).toEqual([file, undefined]);
  });

  it('a tampered history fails (negative control)', async () => {
    const file = files.find((name) => name.includes('on-time')) ?? expect.fail('no history recorded');
    const tampered = readGolden(file).replaceAll('"dispatchComplete"', '"dispatchCancel"');
    expect(tampered).not.toBe(readGolden(file));
    const found = await replayed([[file, tampered]]);
    expect(found.get(file)?.name).toBe('DeterminismViolationError');
  });
});

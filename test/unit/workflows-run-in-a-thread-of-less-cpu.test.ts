import { createRequire } from 'node:module';
import threads from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const require = createRequire(import.meta.url);
const sdkThread = require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
const { prototype: handlers } = require('@temporalio/worker/lib/workflow/vm-shared').GlobalHandlers;
const ours = expect.stringMatching(/workflow-thread\.cjs$/);
const { Worker } = threads;
const { setPromiseHook } = handlers;
const takeStacks = () => {};
const log = { warn: vi.fn() };
let loaded = 0;
let started: { file: string; argv: string[] | undefined }[];

class Started {
  constructor(file: unknown, options?: { argv?: string[] }) {
    started.push({ file: String(file), argv: options?.argv });
  }
}

beforeEach(() => {
  started = [];
  log.warn.mockClear();
  Object.assign(threads, { Worker: Started });
  Object.assign(handlers, { setPromiseHook: takeStacks });
});
afterEach(() => {
  Object.assign(threads, { Worker });
  Object.assign(handlers, { setPromiseHook });
});

/** Of a process that has not loaded the module yet. */
async function startThreads(stackTraces: boolean): Promise<typeof started> {
  loaded += 1;
  const file = new URL('../../src/temporal/worker/workflow-thread.ts', import.meta.url).pathname;
  const module = await import(`${file}?${loaded}`);
  module.replaceWorkflowThread({ log, stackTraces });
  new threads.Worker(sdkThread);
  new threads.Worker('another.js');
  return started;
}

it.each([
  [false, 'stack-traces=off'],
  [true, 'stack-traces=on'],
])('also with the setting of stacks (%s), which the thread is given', async (stackTraces, argument) => {
  expect(await startThreads(stackTraces)).toEqual([
    { file: ours, argv: [argument] },
    { file: 'another.js', argv: undefined },
  ]);
  expect(handlers.setPromiseHook === takeStacks).toBe(stackTraces);
  expect(log.warn).not.toHaveBeenCalled();
});

it('of an SDK that is not known the own thread runs, with one warning', async () => {
  handlers.setPromiseHook = undefined;
  expect(await startThreads(false)).toEqual([
    { file: sdkThread, argv: undefined },
    { file: 'another.js', argv: undefined },
  ]);
  expect(log.warn).toHaveBeenCalledTimes(1);
});

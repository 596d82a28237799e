// The worked example of docs/changing-workflows.md, on a real engine: `1-before.ts` is the code that open runs have
// begun with, the other files are ways to change it.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import type { ReminderActivities } from './worked-example/activities.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const shown = ['1-before', '2-patched', '3-deprecated'] as const;
type Code = (typeof shown)[number] | 'careless';

let engine: TestDevServer;
const bundles = new Map<Code, WorkflowBundle>();
/** Of a run under the old code, under the patched code, and of one that began under the old code and continued under the patched code. */
const histories: Record<'old' | 'new' | 'taken over', History> = { old: {}, new: {}, 'taken over': {} };

beforeAll(async () => {
  engine = await devServer();
  for (const code of [...shown, 'careless'] as const) {
    const workflowsPath = `${here}worked-example/${code}.ts`;
    bundles.set(code, await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }));
  }
  histories.old = await record(['1-before']);
  histories.new = await record(['2-patched']);
  histories['taken over'] = await record(['1-before', '2-patched']);
});
afterAll(() => engine?.stop());

it.each(['old', 'new', 'taken over'] as const)('patched code replays the %s history', async (history) => {
  expect(await replay('2-patched', history)).toBeUndefined();
});

it('a run that began under the old code meets the patch only where it reaches it', () => {
  expect(activitiesIn(histories.old)).toEqual(['remind']);
  expect(activitiesIn(histories.new)).toEqual(['isReturned', 'remind']);
  expect(activitiesIn(histories['taken over'])).toEqual(['isReturned', 'remind']);
});

it('the same change without a patch breaks the runs that have passed it', async () => {
  expect((await replay('careless', 'old'))?.name).toBe('DeterminismViolationError');
});

it('a deprecated patch replays patched histories, and no longer the old ones', async () => {
  expect(await replay('3-deprecated', 'new')).toBeUndefined();
  expect(await replay('3-deprecated', 'taken over')).toBeUndefined();
  expect((await replay('3-deprecated', 'old'))?.name).toBe('DeterminismViolationError');
});

it('docs/changing-workflows.md shows exactly this code', async () => {
  const page = await readFile(`${here}../../docs/changing-workflows.md`, 'utf8');
  for (const code of shown) {
    expect(page).toContain(`\`\`\`ts\n${await readFile(`${here}worked-example/${code}.ts`, 'utf8')}\`\`\``);
  }
});

/** One run, begun by a worker of the first code and finished by one of the last. */
async function record(codes: Code[]): Promise<History> {
  const taskQueue = `reminders-${randomUUID()}`;
  const run = await engine.client.workflow.start('returnReminder', {
    workflowId: taskQueue,
    taskQueue,
    args: [8421, 1_000],
  });
  const [first = expect.fail('no code'), ...others] = codes;
  if (others.length > 0) {
    const sleeps = async () =>
      (await run.fetchHistory()).events?.some((one) => one.timerStartedEventAttributes);
    await (await worker(first, taskQueue)).runUntil(eventually('the run sleeps', sleeps));
  }
  await (await worker(codes.at(-1) ?? first, taskQueue)).runUntil(run.result());
  return run.fetchHistory();
}

function worker(code: Code, taskQueue: string): Promise<Worker> {
  const activities: ReminderActivities = { remind: async () => {}, isReturned: async () => false };
  const { nativeConnection: connection, namespace } = engine;
  return Worker.create({ connection, namespace, taskQueue, workflowBundle: bundleOf(code), activities });
}

async function replay(code: Code, history: keyof typeof histories): Promise<Error | undefined> {
  const results = Worker.runReplayHistories({ workflowBundle: bundleOf(code) }, [
    { workflowId: 'reminder', history: histories[history] },
  ]);
  for await (const { error } of results) return error;
  throw new Error('nothing was replayed');
}

function bundleOf(code: Code): WorkflowBundle {
  return bundles.get(code) ?? expect.fail(`${code} did not bundle`);
}

function activitiesIn({ events }: History): (string | null | undefined)[] {
  return (events ?? []).flatMap((one) => one.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}

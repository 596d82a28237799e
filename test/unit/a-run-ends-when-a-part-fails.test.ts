import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { Stack } from '../../src/app/startup/stack.js';
import { untilStopped } from '../../src/app/startup/until-stopped.js';

let interrupt: (signal: NodeJS.Signals) => void;
vi.mock('../../src/app/startup/signals.js', () => ({
  untilInterrupted: () =>
    new Promise<NodeJS.Signals>((resolve) => {
      interrupt = resolve;
    }),
}));

const never = new Promise<never>(() => {});
const log = pino({ level: 'silent' });
const run = (start: (stack: Stack) => Promise<void>) => untilStopped({ log }, start);
const fail = async (): Promise<never> => {
  throw new Error('it failed five times');
};

/** A part that writes down its stop. */
async function startPart(stack: Stack, stopped: string[]): Promise<void> {
  await stack.start(
    'part',
    async () => {},
    async () => void stopped.push('part'),
  );
}

it('a part that fails by itself ends the run, and all parts stop', async () => {
  const stopped: string[] = [];
  const running = run(async (stack) => {
    await startPart(stack, stopped);
    stack.endWith(fail());
  });
  await expect(running).rejects.toThrow('it failed five times');
  expect(stopped).toEqual(['part']);
});

it('a part that fails by itself while the start waits for another ends the run, and all parts stop', async () => {
  const stopped: string[] = [];
  const running = run(async (stack) => {
    await startPart(stack, stopped);
    stack.endWith(fail());
    await never;
  });
  await expect(running).rejects.toThrow('it failed five times');
  expect(stopped).toEqual(['part']);
});

it('a part that fails by itself after a stop has begun changes nothing', async () => {
  let stack: Stack | undefined;
  const running = run(async (started) => {
    stack = started;
  });
  interrupt('SIGINT');
  await running;
  stack?.endWith(fail());
  await new Promise(setImmediate); // an unhandled rejection would fail this test
});

it('what a start has still to do once a stop has begun is refused: a part, and what it does between two', async () => {
  let stack: Stack | undefined;
  const running = run(async (started) => {
    stack = started;
    started.throwIfStopping('modules');
  });
  interrupt('SIGINT');
  await running;
  const refused = 'not started, because everything stops: ';
  expect(() => stack?.throwIfStopping('modules')).toThrow(`${refused}modules`);
  const starting = stack?.start(
    'part',
    () => expect.fail('it started'),
    async () => {},
  );
  await expect(starting).rejects.toThrow(`${refused}part`);
});

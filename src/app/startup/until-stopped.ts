import { setFlagsFromString } from 'node:v8';
import type { Setting } from './setting.js';
import { untilInterrupted } from './signals.js';
import { Stack } from './stack.js';

/** Where each phase of a run is printed, if anywhere. */
export interface RunPhases {
  /** A signal came: everything begins to stop. */
  onStopping?: () => Promise<void> | void;
  /** A second one, seconds later: everything ends at once. */
  onImpatience?: () => void;
}

/**
 * Runs parts until a signal comes or one fails by itself, and stops what was started, last first. A signal while they
 * start counts too.
 */
export async function untilStopped(
  { log }: Pick<Setting, 'log'>,
  start: (stack: Stack) => Promise<void>,
  { onStopping, onImpatience }: RunPhases = {},
): Promise<void> {
  const stack = new Stack(log);
  const interrupted = untilInterrupted(() => {
    onImpatience?.();
    process.exit(1);
  });
  const bounding = setTimeout(boundHeap, heapBoundedWithinMs).unref();
  const running = async () => {
    await start(stack);
    clearTimeout(bounding);
    boundHeap();
    return interrupted;
  };
  let signal: NodeJS.Signals | undefined;
  try {
    signal = await Promise.race([interrupted, stack.failed, running()]);
    await onStopping?.();
  } finally {
    clearTimeout(bounding);
    // an orchestrator ends it with SIGTERM, a person at a terminal with Ctrl-C
    await stack.stop({ drains: signal === 'SIGTERM' });
  }
}

/**
 * V8 would let the heap grow to twice of what is in use before it collects: 100 MB less, for up to some 5 % CPU. Not before a start
 * is through: it takes 0.2 s more, it seems because V8 rejects the compiled code of Node's own modules where a flag has changed.
 */
const boundHeap = () => setFlagsFromString('--heap-growing-percent=30');

/** A start may wait for Temporal for hours, and callbacks are accepted meanwhile. */
const heapBoundedWithinMs = 30_000;

/** Prints one line to standard output, for the terminal or the container's log. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns a variable that a part of a cluster requires. @throws Error that names the missing variable */
export function requireValue(
  value: string | undefined,
  part: string,
  variable: string,
  what: string,
): string {
  if (value !== undefined) return value;
  throw new Error(
    `\`handover ${part}\` needs ${variable}: ${what} (\`handover up\` runs everything embedded)`,
  );
}

import type { Setting } from './setting.js';
import { untilInterrupted } from './signals.js';
import { Stack } from './stack.js';

/**
 * Runs one part of a cluster until a signal comes or it fails by itself, and stops what it started, last first.
 * @param start starts the part; `failed` rejects when it dies later
 */
export async function untilStopped(
  { log }: Pick<Setting, 'log'>,
  start: (stack: Stack) => Promise<{ failed?: Promise<never> }>,
): Promise<void> {
  const stack = new Stack(log);
  const interrupted = untilInterrupted(() => process.exit(1));
  try {
    const { failed } = await start(stack);
    await (failed === undefined ? interrupted : Promise.race([interrupted, failed]));
  } finally {
    await stack.stop();
  }
}

/** One line for the person or the log of the container. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A variable that a part of a cluster cannot do without. @throws Error that says what is missing */
export function needed(value: string | undefined, part: string, variable: string, what: string): string {
  if (value !== undefined) return value;
  throw new Error(
    `\`handover ${part}\` needs ${variable}: ${what} (\`handover up\` runs everything embedded)`,
  );
}

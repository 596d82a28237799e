import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage of this thread at once, which takes a tenth of a second. V8 by itself waits until its heap grows. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: (() => void) | undefined = runInNewContext('globalThis.gc');
  // contexts of workflows must not have it
  setFlagsFromString('--no-expose-gc');
  collect?.();
}

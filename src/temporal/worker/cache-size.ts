import { totalmem } from 'node:os';

/** A cached workflow takes 0.26 MB (docs/scale.md): all together an eighth of the memory. */
const bytesEach = 2 * 1024 * 1024;
const least = 100;
/** More would cost more in garbage collection than they save in replays. */
const most = 4_000;

/**
 * How many workflows a worker keeps in memory. A message for any other replays its history first, which takes a worker three times
 * the CPU.
 * @param memory bytes that the process may use: of its container, or else of the machine
 */
export function cachedWorkflows(
  memory = Math.min(totalmem(), process.constrainedMemory() || totalmem()),
): number {
  return Math.min(Math.max(Math.floor(memory / bytesEach), least), most);
}

// npm run bench -- reservation: the size of one reservation: its carried state, its memory in a worker with the real
// bundle, and the bundle itself.
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtBundle } from '../src/temporal/worker/bundle.js';
import { benchFolder } from './folder.js';
import { busy, carriedBytes, standard } from './reservation/carried.js';
import { heapPerReservation } from './reservation/heap.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
endOnSignal();
const folder = await benchFolder('reservation');
await runBench(async () => {
  show('bundle with its source map', kb(statSync(builtBundle().codePath).size));
  show('carried state, standard', kb(carriedBytes(standard())));
  show('carried state, 5,000 events', kb(carriedBytes(busy(5_000))));
  for (const count of [500, 1_000]) {
    show(`worker heap each, ${count} open`, kb(await heapPerReservation(count, join(folder, `${count}`))));
  }
});
await rm(folder, { recursive: true, force: true });
process.exit();

function show(title: string, figure: string): void {
  console.log(`${title.padEnd(32)}${figure.padStart(12)}`);
}

// npm run bench -- hold [--products 60]: the whole product, on the embedded sandbox, withdraws a car from sale in many
// products and returns it. Shows the time and the number of requests to the platform.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { counter } from './count.js';
import { benchFolder } from './folder.js';
import { type Held, holdOnce } from './hold/measure.js';
import { machineLine } from './machine.js';
import { startProduct } from './product.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const usage = 'npm run bench -- hold [--products 60]';

endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { products: { type: 'string', default: '60' } },
  });
  await bench(counter(usage)('products', values.products, 1));
});
process.exit();

async function bench(products: number): Promise<void> {
  console.log(machineLine());
  console.log(`one car in ${products} products`);
  const folder = await benchFolder('hold');
  const product = await startProduct({ folder, callbackUrl: '', cpuProf: undefined });
  try {
    const { made, released } = await holdOnce(product, products);
    console.log(`made      ${figuresOf(made)}`);
    console.log(`released  ${figuresOf(released)}`);
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf({ answeredMs, status, doneMs, calls }: Held): string {
  const counts = Object.entries(calls).map(([operation, count]) => `${operation} ${count}`);
  const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
  return `answered ${status} after ${answeredMs} ms, done after ${doneMs} ms, ${all} calls: ${counts.join(', ')}`;
}

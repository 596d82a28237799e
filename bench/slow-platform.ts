// npm run bench -- slow-platform [--actions 130]: how long queries, lists and callbacks take while every slot for calls waits for a
// platform that takes 9.5 s for each request, and before that.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSender, type Send, sendWrite } from '../src/tools/player/http.js';
import { counter } from './count.js';
import { benchFolder } from './folder.js';
import { Lifecycles } from './lifecycle.js';
import { startProduct } from './product.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { percentile } from './statistics.js';
import { access, type Target } from './target.js';

const usage = 'npm run bench -- slow-platform [--actions 130]';
const platformMs = 9_500;
const readings = 60;
const cancelled = 10;

endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { actions: { type: 'string', default: '130' } },
  });
  const actions = counter(usage)('actions', values.actions, 1);
  const folder = await benchFolder('slow-platform');
  const target = await startProduct({ folder, callbackUrl: '', cpuProf: undefined });
  const lifecycles = new Lifecycles(target, 8);
  try {
    await bench(target, lifecycles, actions);
  } finally {
    await lifecycles.close();
    await target.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
process.exit();

async function bench(target: Target, lifecycles: Lifecycles, actions: number): Promise<void> {
  const clients: Clients = {
    api: createSender(target.apiUrl, access.token),
    controls: createSender(target.sandboxUrl, access.supplierKey),
  };
  const { api, controls } = clients;
  const ids = await book(lifecycles, actions + 2 * cancelled);
  const [first, second] = [ids.splice(0, cancelled), ids.splice(0, cancelled)];
  console.log('milliseconds                query      list     board  callback applied (median, longest)');
  console.log(await measure(clients, 'platform at once', ids, first));
  await controls('PUT', '/sandbox/faults', {
    body: { calls: [{ operation: '*', times: 100_000, effect: { kind: 'latency', ms: platformMs } }] },
  });
  const waiting = ids.map((id) =>
    sendWrite(api, 'PUT', `/api/reservations/${id}/dispatch/start`, { key: `slow-${id}`, body: {} }),
  );
  await sleep(2_000);
  console.log(await measure(clients, `platform takes ${platformMs / 1_000} s`, ids, second));
  await Promise.allSettled(waiting);
}

/** Of the status API, and of the controls of the sandbox. */
interface Clients {
  api: Send;
  controls: Send;
}

async function book(lifecycles: Lifecycles, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: 10 }, () => lifecycles.assign()))));
  return ids;
}

/** @param toCancel reservations that are cancelled on the web site: their callbacks are timed until they are applied */
async function measure(clients: Clients, name: string, ids: number[], toCancel: number[]): Promise<string> {
  const { api } = clients;
  const timed = async (path: string) => {
    const began = performance.now();
    const { status } = await api('GET', path);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    return performance.now() - began;
  };
  const each = async (pathOf: (index: number) => string) => {
    const all: number[] = [];
    for (let index = 0; index < readings; index++) all.push(await timed(pathOf(index)));
    return all;
  };
  const callbacks = Promise.all(toCancel.map((id) => cancel(clients, id)));
  const columns = [
    await each((index) => `/api/reservations/${ids[index % ids.length]}`),
    await each(() => '/api/reservations'),
    await each(() => '/api/board'),
    await callbacks,
  ];
  const shown = columns.map((all) => `${at(all, 0.5)} ${at(all, 1)}`.padStart(10));
  return `${name.padEnd(22)} ${shown.join('')}`;
}

async function cancel({ api, controls }: Clients, id: number): Promise<number> {
  const began = performance.now();
  await controls('POST', `/sandbox/reservations/${id}/cancel`);
  for (;;) {
    const { body } = await api('GET', `/api/reservations/${id}`);
    if (body.status?.code === 40) return performance.now() - began;
    await sleep(20);
  }
}

function at(all: number[], share: number): number {
  return Math.round(percentile(all, share) ?? 0);
}

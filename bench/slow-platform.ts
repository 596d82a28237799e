// npm run bench -- slow-platform [actions]: how long queries, lists and callbacks take while every slot for calls waits for a
// platform that takes 9.5 s for each request, and before that.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender, sendWrite } from '../src/tools/player/http.js';
import { Lifecycles } from './lifecycle.js';
import { startProduct } from './product.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { percentile } from './statistics.js';
import { access } from './target.js';

const actions = Number(process.argv[3] ?? 130);
const platformMs = 9_500;
const readings = 60;
const cancelled = 10;

const folder = await mkdtemp(join(tmpdir(), 'handover-bench-slow-platform-'));
endOnSignal();
const target = await startProduct({ folder, callbackUrl: '', cpuProf: undefined });
const api = createSender(target.apiUrl, access.token);
const controls = createSender(target.sandboxUrl, access.supplierKey);
const lifecycles = new Lifecycles(target, 8);
await runBench(async () => {
  const ids = await book(actions + 2 * cancelled);
  const [first, second] = [ids.splice(0, cancelled), ids.splice(0, cancelled)];
  console.log('milliseconds                query      list     board  callback applied (median, longest)');
  console.log(await measure('platform at once', ids, first));
  await controls('PUT', '/sandbox/faults', {
    body: { calls: [{ operation: '*', times: 100_000, effect: { kind: 'latency', ms: platformMs } }] },
  });
  const waiting = ids.map((id) =>
    sendWrite(api, 'PUT', `/api/reservations/${id}/dispatch/start`, { key: `slow-${id}`, body: {} }),
  );
  await sleep(2_000);
  console.log(await measure(`platform takes ${platformMs / 1_000} s`, ids, second));
  await Promise.allSettled(waiting);
});
await lifecycles.close();
await target.stop();
await rm(folder, { recursive: true, force: true });
process.exit();

async function book(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: 10 }, () => lifecycles.assign()))));
  return ids;
}

/** @param toCancel reservations that are cancelled on the web site: their callbacks are timed until they are applied */
async function measure(name: string, ids: number[], toCancel: number[]): Promise<string> {
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
  const callbacks = Promise.all(toCancel.map((id) => cancel(id)));
  const columns = [
    await each((index) => `/api/reservations/${ids[index % ids.length]}`),
    await each(() => '/api/reservations'),
    await each(() => '/api/board'),
    await callbacks,
  ];
  const shown = columns.map((all) => `${at(all, 0.5)} ${at(all, 1)}`.padStart(10));
  return `${name.padEnd(22)} ${shown.join('')}`;
}

async function cancel(id: number): Promise<number> {
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

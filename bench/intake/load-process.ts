// The sender in a process of its own. Argument: a `Load` as JSON. Output: a `Loaded` as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile, rounded } from '../statistics.js';
import { callbackAt, signed } from './callbacks.js';
import type { Load, Loaded } from './load.js';

const load = JSON.parse(process.argv[2] ?? '') as Load;
const { url, prefix, count, connections, perSecond } = load;
const pool = new Pool(url, { connections, pipelining: 1 });
const durations: number[] = [];
const notAccepted: number[] = [];
const statuses: Record<string, number> = {};

/** @param due planned time of sending, so that waiting behind a slow answer counts too */
async function send(index: number, due: number): Promise<void> {
  const { path, body } = callbackAt(load.firstReservation, index);
  const status = await pool
    .request({ method: 'POST', path, headers: signed(`${prefix}-${index}`, body), body })
    .then(async (answer) => {
      await answer.body.dump();
      return answer.statusCode;
    })
    .catch((error: { code?: string }) => error.code ?? 'failed');
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status === 204) durations.push(performance.now() - due);
  else notAccepted.push(index);
}

/** An open loop: each callback is sent at its planned time, whether earlier ones are answered or not. */
async function atRate(rate: number): Promise<void> {
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * rate) + 1);
    for (; index < due; index++) underWay.push(send(index, began + (index / rate) * 1000));
    await sleep(1);
  }
  await Promise.all(underWay);
}

/** A closed loop: each connection sends its next callback once the last one is answered. */
async function asFastAsItGoes(): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      await send(index, performance.now());
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

const began = performance.now();
await (perSecond === null ? asFastAsItGoes() : atRate(perSecond));
const seconds = (performance.now() - began) / 1000;
await pool.destroy();
const at = (share: number) => {
  const value = percentile(durations, share);
  return value === null ? null : rounded(value, 1);
};
const loaded: Loaded = {
  sent: count,
  accepted: durations.length,
  statuses,
  seconds: rounded(seconds, 2),
  acceptedPerSecond: rounded(durations.length / seconds, 1),
  acknowledgedMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  notAccepted,
};
process.stdout.write(`${JSON.stringify(loaded)}\n`);

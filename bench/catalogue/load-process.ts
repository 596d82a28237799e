// Requests one path at a rate, in a process of its own. Argument: a `RequestRate` as JSON. Output: `AnswerFigures` as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile, rounded } from '../statistics.js';
import type { AnswerFigures, RequestRate } from './load.js';

const { url, path, token, perSecond, seconds } = JSON.parse(process.argv[2] ?? '') as RequestRate;
const pool = new Pool(url, { connections: 32, pipelining: 1 });
const tookMs: number[] = [];
const statuses: Record<string, number> = {};
let bytes = 0;

/** @param due planned time of the request, so that waiting behind a slow answer counts too */
async function sendRequest(due: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  bytes = (await body.arrayBuffer()).byteLength;
  tookMs.push(performance.now() - due);
  statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
}

const count = perSecond * seconds;
const underWay: Promise<void>[] = [];
const began = performance.now();
while (underWay.length < count) {
  const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
  while (underWay.length < due) underWay.push(sendRequest(began + (underWay.length / perSecond) * 1000));
  await sleep(1);
}
await Promise.all(underWay);
await pool.close();
const ms = (share: number) => rounded(percentile(tookMs, share) ?? Number.NaN, 2);
const figures: AnswerFigures = { p50: ms(0.5), p95: ms(0.95), p99: ms(0.99), max: ms(1), bytes, statuses };
process.stdout.write(JSON.stringify(figures));

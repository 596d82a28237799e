import { Pool } from 'undici';
import { signed } from '../intake/callbacks.js';
import { percentile, rounded } from '../statistics.js';
import type { ScaleCallback } from './callbacks.js';

const connections = 16;
/** An answer that is no 2xx: the platform sends again, so often at most. */
const attempts = 5;

export interface Sent {
  seconds: number;
  perSecond: number;
  acknowledgedMs: { p50: number; p99: number };
}

/** Sends signed callbacks to the receiver, one after another on each of 16 connections. @throws where one is not accepted */
export async function sendAll(
  url: string,
  count: number,
  callbackOf: (index: number) => ScaleCallback[],
): Promise<Sent> {
  const pool = new Pool(url, { connections });
  const durations: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count)
      for (const callback of callbackOf(next++)) durations.push(await sendOne(pool, callback));
  };
  const began = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    await pool.destroy();
  }
  const seconds = (performance.now() - began) / 1000;
  const at = (share: number) => rounded(percentile(durations, share) ?? 0, 1);
  return {
    seconds: rounded(seconds, 2),
    perSecond: rounded(durations.length / seconds, 1),
    acknowledgedMs: { p50: at(0.5), p99: at(0.99) },
  };
}

/** @returns milliseconds until its 2xx */
async function sendOne(pool: Pool, { id, path, body }: ScaleCallback): Promise<number> {
  let answered = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const began = performance.now();
    const answer = await pool.request({ method: 'POST', path, headers: signed(id, body), body });
    await answer.body.dump();
    answered = answer.statusCode;
    if (answered < 300) return performance.now() - began;
  }
  throw new Error(`the receiver answered ${answered}`);
}

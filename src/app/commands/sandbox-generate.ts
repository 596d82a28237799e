import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { generateTraffic, type Tally } from '../../sandbox/traffic/generate.js';
import { clusterSetting } from '../startup/setting.js';

interface Wanted {
  days: number;
  cars: number;
  seed: number;
  out: string | undefined;
}

/** `handover sandbox generate`: a month of callbacks as JSON lines, to a file or standard output. */
export async function generateCallbacks(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { out, ...size } = readArguments(args);
  const { profile, log } = await clusterSetting(env, { receives: false });
  const folder = await mkdtemp(join(tmpdir(), 'handover-traffic-'));
  const target = out === undefined ? process.stdout : createWriteStream(out);
  try {
    const write = (lines: string) => writeTo(target, lines);
    const tally = await generateTraffic({ ...size, folder, profile, logger: log, write });
    if (out !== undefined) await finished(target.end());
    process.stderr.write(`${summaryOf(tally)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws Error that names the argument and what it may be */
export function readArguments(args: string[]): Wanted {
  const { values } = parseArgs({
    args,
    options: {
      days: { type: 'string', default: '30' },
      cars: { type: 'string', default: '500' },
      seed: { type: 'string', default: '7' },
      out: { type: 'string' },
    },
  });
  return {
    days: readWhole('days', values.days, 1, 366),
    cars: readWhole('cars', values.cars, 1, 10_000),
    seed: readWhole('seed', values.seed, 0, Number.MAX_SAFE_INTEGER),
    out: values.out,
  };
}

function readWhole(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`--${name} is ${text}; give a whole number from ${least} to ${most}`);
}

/** Resolves when the stream has the lines: a slow reader slows the generator, and no line is lost at the end. */
function writeTo(target: Writable, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    target.once('error', reject);
    target.write(lines, (error) => {
      target.off('error', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

function summaryOf({ bookings, refused, callbacks, reached }: Tally): string {
  const statuses = Object.entries(reached).map(([status, count]) => `${status}: ${count}`);
  return `${callbacks} callbacks of ${bookings} reservations (${refused} refused); reached ${statuses.join(', ')}`;
}

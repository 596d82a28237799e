import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startReporting } from '../child.js';
import type { Place } from '../place.js';
import { startProduct } from '../product.js';
import { type Attack, loopbackAddresses } from './attack.js';
import { callbackAt } from './callbacks.js';
import { type Loaded, send } from './load.js';
import type { IntakeOptions } from './options.js';

const perSecond = 100;
const attacks: Pick<Attack, 'kind' | 'connections'>[] = [
  { kind: 'stalled', connections: 300 },
  { kind: 'idle', connections: 2_200 },
];
/** Whether all connections come from one address, or each from its own. */
const addresses = [1, 300];

export interface FloodFigures {
  /** Absent: no attack. */
  attack?: Pick<Attack, 'kind' | 'connections'> & { addresses: number };
  sent: number;
  statuses: Loaded['statuses'];
  acknowledgedMs: Loaded['acknowledgedMs'];
}

/** Signed callbacks to the whole product during one attack after the other, and without an attack for comparison. */
export async function measureFlood(
  { seconds, connections, cpuProf }: IntakeOptions,
  { folder, databaseUrl, isApart }: Place,
  print: (line: string) => void,
): Promise<FloodFigures[]> {
  await mkdir(folder, { recursive: true });
  const target = await startProduct({
    folder,
    callbackUrl: 'http://127.0.0.1:9',
    cpuProf,
    isApart,
    env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  });
  const figures: FloodFigures[] = [];
  const measure = async (attack?: FloodFigures['attack']) => {
    const stop = attack && (await begin(target.receiverUrl, attack, folder));
    const count = seconds * perSecond;
    const prefix = `flood-${figures.length}`;
    const firstReservation = 50_000_000 + figures.length * count;
    const loaded = await send(
      { url: target.receiverUrl, prefix, firstReservation, count, connections, perSecond },
      folder,
    ).finally(() => stop?.());
    const { sent, statuses, acknowledgedMs } = loaded;
    figures.push({ ...(attack && { attack }), sent, statuses, acknowledgedMs });
    const by = attack ? `${attack.connections} ${attack.kind}, ${attack.addresses} address(es)` : 'no attack';
    const { p50, p99, max } = acknowledgedMs;
    print(`  ${by}: of ${sent} ${JSON.stringify(statuses)}; ${p50} / ${p99} / ${max} ms`);
  };
  try {
    await measure();
    for (const attack of attacks)
      for (const count of addresses) await measure({ ...attack, addresses: count });
    return figures;
  } finally {
    await target.stop();
  }
}

/** Resolves when the attack has reached the receiver's limits. @returns a function that ends it */
async function begin(url: string, attack: NonNullable<FloodFigures['attack']>, folder: string) {
  const { path } = callbackAt(1, 0);
  const whole: Attack = { ...attack, url, path, from: loopbackAddresses(attack.addresses) };
  const script = fileURLToPath(new URL('flood-process.js', import.meta.url));
  const { stop } = await startReporting('attackers', script, [JSON.stringify(whole)], { folder });
  return stop;
}

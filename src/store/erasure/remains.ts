import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { HandoverDb } from '../handover.js';
import { payloadRemains } from '../schema.js';
import type { DataKeys } from '../sealing/data-keys.js';
import type { Sealer } from '../sealing/sealer.js';

/** What an erasure left of payloads, in their wire form, by their nonces in base64. */
export type Remains = ReadonlyMap<string, Uint8Array>;

const mostInMemory = 20;

/** Reads what erasures left; a history that is replayed asks for many payloads of one scope. */
export function createRemains(db: HandoverDb, sealer: Pick<Sealer, 'open'>): Pick<DataKeys, 'remainsOf'> {
  const known = new LRUCache<string, Remains>({ max: mostInMemory });
  return {
    async remainsOf(scope, nonce) {
      const remains = known.get(scope) ?? (await read(db, sealer, scope));
      if (remains === undefined) return undefined;
      known.set(scope, remains);
      return remains.get(Buffer.from(nonce).toString('base64'));
    },
  };
}

async function read(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  scope: string,
): Promise<Remains | undefined> {
  const [row] = await db.select().from(payloadRemains).where(eq(payloadRemains.scope, scope));
  if (row === undefined) return undefined;
  const stored: Record<string, string> = JSON.parse(sealer.open(row.payloads, rowOf(scope)).toString());
  return new Map(Object.entries(stored).map(([nonce, bytes]) => [nonce, Buffer.from(bytes, 'base64')]));
}

/** Writes what is left of a scope's payloads, in the transaction that destroys its key. A second erasure replaces nothing. */
export async function writeRemains(
  tx: Pick<HandoverDb, 'insert'>,
  sealer: Pick<Sealer, 'seal'>,
  { scope, remains, at }: { scope: string; remains: Remains; at: number },
): Promise<void> {
  if (remains.size === 0) return;
  const stored = [...remains].map(([nonce, bytes]) => [nonce, Buffer.from(bytes).toString('base64')]);
  const payloads = sealer.seal(Buffer.from(JSON.stringify(Object.fromEntries(stored))), rowOf(scope));
  await tx.insert(payloadRemains).values({ scope, at, payloads }).onConflictDoNothing();
}

const rowOf = (scope: string) => `payload_remains/${scope}`;

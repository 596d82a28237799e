import { z } from 'zod';
import { shardLeases } from '../../inbox/relay/plan-leases.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { backlog } from '../../store/callbacks/backlog.js';
import { shardCount } from '../../store/callbacks/shard.js';
import { leaseHolders } from '../../store/connection/lease-holder.js';
import { readHandoverDatabase } from '../../store/handover.js';
import type { IntakeStatus, Source } from './types.js';

const mostAlerts = 100;
const withinMs = 5_000;
const secondsSince = (at: number | null) =>
  at === null ? null : Math.max(0, Math.round((Date.now() - at) / 1000));

/** A cluster's: reads the database, and changes nothing. */
export function databaseSource(url: string): Source {
  const { db, close } = readHandoverDatabase(url);
  const unused = { seal: () => Buffer.alloc(0) };
  return {
    name: 'database',
    close,
    async read() {
      const [{ events, oldestAt, deadLetters }, { items }, leases] = await Promise.all([
        backlog(db),
        createAlerts(db, { sealer: unused, post: false }).list({ state: 'open', limit: mostAlerts }),
        leaseHolders(db, shardLeases),
      ]);
      return {
        detail: 'answers',
        intake: {
          waiting: events,
          oldestWaitingSeconds: secondsSince(oldestAt),
          deadLetters,
          shards: shardsOf(leases),
        },
        alerts: items.map(({ kind, subject, since, message }) => ({
          kind,
          subject,
          since: new Date(since).toISOString(),
          message,
        })),
      };
    },
  };
}

function shardsOf(leases: { process: string; address: string | null }[]): IntakeStatus['shards'] {
  const processes = new Map<string, { shards: number; address: string | null }>();
  for (const { process, address } of leases)
    processes.set(process, { address, shards: (processes.get(process)?.shards ?? 0) + 1 });
  return { held: leases.length, of: shardCount, processes: [...processes.values()] };
}

const intakeAnswer = z.object({
  backlog: z.object({ events: z.number(), oldestAt: z.string().nullable() }),
  deadLetters: z.number(),
  relays: z.array(z.object({ shards: z.number(), address: z.string().nullable() })),
});
const alertsAnswer = z.object({
  items: z.array(z.object({ kind: z.string(), subject: z.string(), since: z.string(), message: z.string() })),
});

/** That of `handover up`, whose embedded database serves its process alone. @param token of any role */
export function apiSource(url: string, token: string): Source {
  const get = async (path: string) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' },
      signal: AbortSignal.timeout(withinMs),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return response.json();
  };
  return {
    name: 'status API',
    close: async () => {},
    async read() {
      const [intake, alerts] = await Promise.all([
        get('/api/intake'),
        get(`/api/alerts?limit=${mostAlerts}`),
      ]);
      const { backlog: waiting, deadLetters, relays } = intakeAnswer.parse(intake);
      const { items } = alertsAnswer.parse(alerts);
      const oldestAt = waiting.oldestAt === null ? null : Date.parse(waiting.oldestAt);
      const held = relays.reduce((sum, { shards }) => sum + shards, 0);
      return {
        detail: `answers at ${url}`,
        intake: {
          waiting: waiting.events,
          oldestWaitingSeconds: secondsSince(oldestAt),
          deadLetters,
          shards: { held, of: shardCount, processes: relays },
        },
        alerts: items,
      };
    },
  };
}

import { z } from 'zod';
import { heldShards, readRelays } from '../../inbox/relay/read-relays.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { inEnglish } from '../../store/alerts/messages/message.js';
import { backlog, countUnjudged } from '../../store/callbacks/backlog.js';
import { shardCount } from '../../store/callbacks/shard.js';
import { changeReaders } from '../../store/changes/readers.js';
import { readHandoverDatabase } from '../../store/handover.js';
import { readItems } from '../../store/page.js';
import type { IntakeStatus, Source } from './types.js';

const alertsOfPage = 500;
const withinMs = 5_000;
const secondsSince = (at: number | null) =>
  at === null ? null : Math.max(0, Math.round((Date.now() - at) / 1000));

/** Every page: what is suspended may be older than the newest alerts. */
async function readAll<T>(readPage: Parameters<typeof readItems<T>>[0]): Promise<T[]> {
  const all: T[] = [];
  for await (const item of readItems(readPage)) all.push(item);
  return all;
}

/** A cluster's: reads the database, and changes nothing. */
export function databaseSource(url: string): Source {
  const { db, close } = readHandoverDatabase(url);
  const unused = { seal: () => Buffer.alloc(0) };
  const { list } = createAlerts(db, { sealer: unused, post: false });
  return {
    name: 'database',
    close,
    async read() {
      const [stored, unjudged, alerts, { processes }, statusApis] = await Promise.all([
        backlog(db),
        countUnjudged(db),
        readAll((from) => list({ ...from, state: 'open', limit: alertsOfPage })),
        readRelays(db),
        changeReaders(db).catch(() => null),
      ]);
      return {
        detail: 'answers',
        statusApis,
        intake: {
          waiting: stored.events,
          oldestWaitingSeconds: secondsSince(stored.oldestAt),
          unjudged,
          oldestUnjudgedSeconds: secondsSince(stored.unjudgedAt),
          deadLetters: stored.deadLetters,
          shards: shardsOf(processes),
        },
        alerts: alerts.map(({ kind, subject, since, message }) => ({
          kind,
          subject,
          since: new Date(since).toISOString(),
          message: inEnglish(message),
        })),
      };
    },
  };
}

type Processes = IntakeStatus['shards']['processes'];

function shardsOf(processes: Processes): IntakeStatus['shards'] {
  return {
    held: heldShards({ processes }),
    of: shardCount,
    processes: processes.map(({ shards, address }) => ({ shards, address })),
  };
}

const oldestOf = z.object({ events: z.number(), oldestAt: z.string().nullable() });
const intakeAnswer = z.object({
  backlog: oldestOf,
  unjudged: oldestOf,
  deadLetters: z.number(),
  relays: z.array(z.object({ shards: z.number(), address: z.string().nullable() })),
});
const alertsAnswer = z.object({
  items: z.array(z.object({ kind: z.string(), subject: z.string(), since: z.string(), message: z.string() })),
  nextCursor: z.string().nullable(),
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
        readAll(async ({ cursor }) => {
          const after = cursor === undefined ? '' : `&cursor=${cursor}`;
          return alertsAnswer.parse(await get(`/api/alerts?limit=${alertsOfPage}${after}`));
        }),
      ]);
      const { backlog: waiting, unjudged, deadLetters, relays } = intakeAnswer.parse(intake);
      const ageOf = ({ oldestAt }: { oldestAt: string | null }) =>
        secondsSince(oldestAt === null ? null : Date.parse(oldestAt));
      return {
        detail: `answers at ${url}`,
        statusApis: [{ address: new URL(url).hostname, release: null }],
        intake: {
          waiting: waiting.events,
          oldestWaitingSeconds: ageOf(waiting),
          unjudged: unjudged.events,
          oldestUnjudgedSeconds: ageOf(unjudged),
          deadLetters,
          shards: shardsOf(relays),
        },
        alerts,
      };
    },
  };
}

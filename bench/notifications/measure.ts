import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { RecordInput } from '../../src/contract/reservation.js';
import { changesChannel } from '../../src/store/changes/channel.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { percentile, rounded } from '../statistics.js';

/** Worker processes, each with its own connections, and the steps that each has in progress. */
const workerCounts = [1, 4];
const inProgress = 32;
const stepsEach = 1_500;
const tables = ['timeline', 'inbox'];

export interface NotificationFigures {
  workers: number;
  isNotifying: boolean;
  stepsPerSecond: number;
  stepMs: { p50: number | null; p99: number | null };
  /** Reservations of which a change arrived at a listener. */
  notified: number;
}

/**
 * Steps of reservations (`record`) by one and by several workers, with and without the triggers that notify of changes, in
 * alternating rounds. Postgres lets only one transaction that notifies commit at a time.
 */
export async function measureNotifications(
  url: string,
  rounds: number,
  print: (figures: NotificationFigures) => void,
): Promise<NotificationFigures[]> {
  const open = () => openHandoverDatabase({ url, folder: '' });
  const workers: HandoverDatabase[] = [];
  for (let index = 0; index < Math.max(...workerCounts); index++) workers.push(await open());
  const [first] = workers as [HandoverDatabase];
  const listener = await first.session();
  const changed = new Set<unknown>();
  await listener.listen(changesChannel, (payload) => changed.add(JSON.parse(payload)[1]));
  const all: NotificationFigures[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const count of workerCounts) {
        for (const isNotifying of [false, true]) {
          const switched = sql.raw(isNotifying ? 'enable' : 'disable');
          for (const table of tables)
            await first.db.execute(sql`alter table ${sql.raw(table)} ${switched} trigger user`);
          changed.clear();
          const measured = await measureSteps(workers.slice(0, count));
          const notified = isNotifying ? await receivedAll(changed, count * stepsEach) : changed.size;
          const figures = { workers: count, isNotifying, ...measured, notified };
          // the first round is the warm-up
          if (round === 0) continue;
          all.push(figures);
          print(figures);
        }
      }
    }
  } finally {
    await listener.close();
    for (const worker of workers) await worker.close();
  }
  return all;
}

/** @returns how many arrived, at the latest after two seconds */
async function receivedAll(changed: ReadonlySet<unknown>, expected: number): Promise<number> {
  const giveUpAt = Date.now() + 2_000;
  while (changed.size < expected && Date.now() < giveUpAt) await sleep(5);
  return changed.size;
}

async function measureSteps(
  workers: readonly HandoverDatabase[],
): Promise<Pick<NotificationFigures, 'stepsPerSecond' | 'stepMs'>> {
  const [{ db }] = workers as [HandoverDatabase];
  const count = stepsEach * workers.length;
  const inserted = await db.execute(sql`
    insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
    select 'webhook-id', gen_random_uuid()::text, 'status', '/', g, now(), '{}', '', ''
    from generate_series(1, ${count}::integer) as g returning id`);
  const ids = rowsOf<{ id: number | string }>(inserted).map(({ id }) => Number(id));
  const durations: number[] = [];
  const began = performance.now();
  await Promise.all(
    workers.flatMap((worker) => {
      const record = createRecorder(worker.db);
      const runOne = async () => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          const from = performance.now();
          await record(stepOf(id));
          durations.push(performance.now() - from);
        }
      };
      return Array.from({ length: inProgress }, runOne);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const at = (share: number) => rounded(percentile(durations, share) ?? Number.NaN, 1);
  return { stepsPerSecond: Math.round(count / seconds), stepMs: { p50: at(0.5), p99: at(0.99) } };
}

/** A step that a callback causes: its verdict and two entries. Each is of another reservation. */
function stepOf(inboxId: number): RecordInput {
  const at = Date.now();
  const entry = { at, kind: 'event' as const, rule: 'L10', text: 'bench', data: { inboxId } };
  return {
    reservationId: inboxId,
    verdicts: [{ inboxId, verdict: 'applied', rule: 'L10' }],
    entries: [
      { ...entry, seq: 1 },
      { ...entry, seq: 2, kind: 'decision' },
    ],
  };
}

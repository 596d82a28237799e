import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** One insert of each kind that must not wait: a callback that is accepted, and an entry that a worker records. */
const inserts: Readonly<Record<string, string>> = {
  inbox: `insert into inbox (identity, event_id, channel, path, received_at, headers, content_hash, raw)
    values ('content', $1, 'update', '/events/reservation/update', now(), '{}', 'new', '\\x00')`,
  timeline: `insert into timeline (reservation_id, seq, at, kind, rule, text, data, identity)
    values (-1, $1::integer, now(), 'event', 'L10', 'it came', '{}', $1::text)`,
};
type Longest = Record<string, number>;

/** Inserts into each table without a pause, and measures the longest insert. */
export class Writers {
  private longest: Longest = {};
  private isStopping = false;
  private running: Promise<void>[] = [];
  private written = 0;

  static async start(url: string): Promise<Writers> {
    const writers = new Writers();
    for (const [table, insert] of Object.entries(inserts)) {
      const client = new pg.Client(url);
      await client.connect();
      writers.running.push(writers.write(client, table, insert));
    }
    return writers;
  }

  longestWithin(ms: number): Promise<Longest> {
    return this.longestWhile(() => sleep(ms));
  }

  /** @returns milliseconds by table, of inserts that ended meanwhile */
  async longestWhile(use: () => Promise<void>): Promise<Longest> {
    this.longest = {};
    await use();
    return this.longest;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  private async write(client: pg.Client, table: string, insert: string): Promise<void> {
    while (!this.isStopping) {
      this.written += 1;
      const began = performance.now();
      await client.query(insert, [String(this.written)]);
      this.longest[table] = Math.max(this.longest[table] ?? 0, performance.now() - began);
    }
    await client.end();
  }
}

import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { keepListening, type Listener } from '../connection/listener.js';
import { within } from '../connection/within.js';
import type { HandoverDatabase } from '../handover.js';
import { type Change, changesChannel, readChange } from './channel.js';

/** Why changes are not received: the database does not answer, or it does not deliver notifications (a pooler). */
export type DegradedCode = 'DATABASE_UNAVAILABLE' | 'NOTIFICATIONS_MISSING';

export type FeedMessage =
  /** Where the feed stands: nothing has changed. */
  | { kind: 'position'; id: string }
  | { kind: 'change'; id: string; change: Change }
  /** Changes may have been missed: read everything again. `degraded`: null once changes are received again. */
  | { kind: 'reset'; id: string; degraded: DegradedCode | null }
  | { kind: 'degraded'; degraded: DegradedCode };

interface FeedOptions {
  /** Changes that other channels stand for. */
  also?: Readonly<Record<string, Change>>;
  /** Of this process: `handover status` shows it. */
  release?: string;
  /** How often it checks that notifications arrive; after three times without one they do not. */
  checkEveryMs?: number;
  /** Changes of one subject within this time are one. */
  gatherMs?: number;
  /** Rest after a publication for each reader: each is sent the changes, and then reads again. */
  restPerReaderMs?: number;
}

/** The newest changes, for a reader that was away for a moment. */
const mostStored = 2_000;
/** However many read, changes are published four times a second. */
const longestRestMs = 250;
const check = '["check"]';

/**
 * What changes in the database, whichever process writes it. One per process: it holds one session. It sends itself a notification every
 * few seconds, so that a silent line or a pooler is noticed.
 */
export class ChangeFeed {
  private readonly readers = new Set<(message: FeedMessage) => void>();
  private readonly listener: Listener;
  private readonly timer: NodeJS.Timeout;
  private readonly gathered = new Map<string, Change>();
  private degraded: DegradedCode | null = 'NOTIFICATIONS_MISSING';
  private receivedAt = performance.now();
  /** Ids of one epoch are in one order; after a gap there is a new epoch. */
  private epoch = '';
  private count = 0;
  private stored: Extract<FeedMessage, { kind: 'change' }>[] = [];
  private readonly checkEveryMs: number;
  private readonly gatherMs: number;
  private readonly restPerReaderMs: number;
  private publishedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Pick<HandoverDatabase, 'session' | 'prompt'>,
    { also = {}, release, checkEveryMs = 4_000, gatherMs = 25, restPerReaderMs = 5 }: FeedOptions = {},
  ) {
    this.checkEveryMs = checkEveryMs;
    this.gatherMs = gatherMs;
    this.restPerReaderMs = restPerReaderMs;
    this.startEpoch();
    const others = Object.entries(also).map(
      ([channel, change]) => [channel, () => this.gather(change)] as const,
    );
    this.listener = keepListening(
      () => database.session('changes', release),
      { ...Object.fromEntries(others), [changesChannel]: (payload) => this.receive(payload) },
      {
        onOpened: () => {
          this.receivedAt = performance.now();
          this.degrade('NOTIFICATIONS_MISSING');
          void this.check();
        },
        onFailed: () => this.degrade('DATABASE_UNAVAILABLE'),
      },
    );
    this.timer = setInterval(() => void this.check(), checkEveryMs).unref();
  }

  /**
   * Calls `onMessage` for everything from now on, and first for what came after `lastId`.
   * @param lastId `id` of the newest message that the reader has; absent: it has none
   * @returns ends it
   */
  read(onMessage: (message: FeedMessage) => void, lastId?: string): () => void {
    if (this.degraded !== null) onMessage({ kind: 'degraded', degraded: this.degraded });
    else for (const missed of this.missedSince(lastId)) onMessage(missed);
    this.readers.add(onMessage);
    return () => this.readers.delete(onMessage);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.listener.stop();
  }

  private missedSince(lastId: string | undefined): FeedMessage[] {
    const here = this.idOf(this.count);
    if (lastId === undefined || lastId === here) return [{ kind: 'position', id: here }];
    const [epoch, number] = lastId.split('-');
    const missed = this.count - Number(number);
    if (epoch === this.epoch && missed > 0 && missed <= this.stored.length) return this.stored.slice(-missed);
    return [{ kind: 'reset', id: here, degraded: null }];
  }

  private receive(payload: string): void {
    this.receivedAt = performance.now();
    if (this.degraded !== null) {
      this.degraded = null;
      this.reset();
    }
    if (payload === check) return;
    const change = readChange(payload);
    if (change === undefined) this.reset();
    else this.gather(change);
  }

  /** The reader of many changes of one subject reads it once. */
  private gather(change: Change): void {
    const key = JSON.stringify([change.event, change.id]);
    const known = this.gathered.get(key);
    const codes = [...new Set([...(known?.codes ?? []), ...change.codes])];
    if (this.gathered.size === 0) {
      const restMs = Math.min(this.readers.size * this.restPerReaderMs, longestRestMs);
      const waitMs = this.publishedAt + restMs - performance.now();
      setTimeout(() => this.publish(), Math.max(this.gatherMs, waitMs)).unref();
    }
    this.gathered.set(key, { ...change, codes });
  }

  private publish(): void {
    this.publishedAt = performance.now();
    const changes = [...this.gathered.values()];
    this.gathered.clear();
    for (const change of changes) {
      this.count += 1;
      const message = { kind: 'change' as const, id: this.idOf(this.count), change };
      this.stored.push(message);
      this.send(message);
    }
    this.stored.splice(0, this.stored.length - mostStored);
  }

  /** A round trip through the database, as every change takes it. */
  private async check(): Promise<void> {
    const notify = this.database.prompt.execute(sql`select pg_notify(${changesChannel}, ${check})`);
    const isAnswered = await within(this.checkEveryMs, notify).then(
      () => true,
      () => false,
    );
    if (!isAnswered) return this.degrade('DATABASE_UNAVAILABLE');
    if (performance.now() - this.receivedAt >= 3 * this.checkEveryMs) {
      this.degrade('NOTIFICATIONS_MISSING');
      this.listener.reopen();
    }
    // readers still see what changes, a few seconds later
    if (this.degraded === 'NOTIFICATIONS_MISSING') this.reset();
  }

  private degrade(code: DegradedCode): void {
    if (this.degraded === code) return;
    this.degraded = code;
    this.send({ kind: 'degraded', degraded: code });
  }

  private reset(): void {
    this.startEpoch();
    this.send({ kind: 'reset', id: this.idOf(0), degraded: this.degraded });
  }

  private startEpoch(): void {
    this.epoch = randomBytes(6).toString('hex');
    this.count = 0;
    this.stored = [];
  }

  private idOf(number: number): string {
    return `${this.epoch}-${number}`;
  }

  private send(message: FeedMessage): void {
    for (const reader of this.readers) reader(message);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { databaseErrorCode } from '../db/errors.js';
import type { HandoverDb } from '../db/handover.js';
import type { Logger } from '../log.js';
import type { Sealer } from '../sealing/sealer.js';
import { type RetryWaits, waitMs } from './backoff.js';
import type { Delivery, Receiver } from './deliver.js';
import {
  type ClaimedPost,
  claimPosts,
  dropOldPosts,
  postponePost,
  releasePost,
  removePost,
} from './queue.js';

export interface OutboxSenderOptions {
  db: HandoverDb;
  receiver: Receiver;
  sealer: Pick<Sealer, 'open'>;
  log: Logger;
  /** Posts under way at once. */
  concurrency?: number;
  /** How often it looks for new posts. */
  pollMs?: number;
  retry?: RetryWaits;
  /** A claim holds so long: longer than an attempt may take. */
  leaseMs?: number;
  /** What the receiver has not taken after so long is dropped, and the log says so. */
  keepMs?: number;
  /** How long a stop waits for posts under way. */
  graceMs?: number;
}

const day = 86_400_000;
const dropEveryMs = 60_000;
/** Ids in one line of the log. */
const shownIds = 20;

/**
 * Sends what waits in the outbox, at least once: in order per key, many keys side by side. A post that is not taken
 * makes its own key wait. When posts of several keys fail without one that is taken, the receiver counts as down and is
 * asked with one post at a time.
 */
export class OutboxSender {
  private readonly sending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly givingUp = new AbortController();
  private loop: Promise<void> | null = null;
  /** Keys whose posts failed since one was taken, as those of a receiver that is down do. */
  private readonly failing = new Set<string>();
  private failuresInRow = 0;
  /** While the receiver is down: not before this instant. */
  private restUntil = 0;
  private droppedAt = 0;
  /** The database did not answer at the last look: said once, not at every look. */
  private databaseFailing = false;

  private readonly concurrency: number;

  constructor(private readonly options: OutboxSenderOptions) {
    this.concurrency = options.concurrency ?? 4;
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** Nothing new is begun; what is under way is given a moment, then given up: it is sent again at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    const patience = setTimeout(() => this.givingUp.abort(), this.options.graceMs ?? 3_000);
    await Promise.all(this.sending);
    clearTimeout(patience);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const began = performance.now();
      await this.look().catch((error) => this.cannotRead(error));
      // others want the database too: with a long backlog, looking takes a third of the time at most
      await this.pause(Math.max(this.options.pollMs ?? 500, 2 * (performance.now() - began)));
    }
  }

  /** Until a post under way has ended, for the next of its key may go then; else for a while, or to the end. */
  private async pause(ms: number): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.stopping.signal]);
    const clock = sleep(ms, undefined, { signal }).catch(() => {});
    await Promise.race([clock, ...this.sending]);
    over.abort();
  }

  private async look(): Promise<void> {
    const { db, leaseMs = 15_000 } = this.options;
    await this.dropOld();
    const isDown = this.failing.size >= this.concurrency;
    const free = (isDown ? 1 : this.concurrency) - this.sending.size;
    if (free <= 0 || (isDown && Date.now() < this.restUntil)) return;
    const claimed = await claimPosts(db, { most: free, leaseMs });
    this.databaseFailing = false;
    for (const post of claimed) this.begin(post);
  }

  private begin(post: ClaimedPost): void {
    const sent: Promise<void> = this.send(post)
      .catch((error) => this.cannotRead(error))
      .finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  private async send(post: ClaimedPost): Promise<void> {
    const { db, retry = { firstMs: 1_000, longestMs: 60_000 } } = this.options;
    const outcome = await this.attempt(post);
    if (outcome.taken) {
      this.failing.clear();
      this.failuresInRow = 0;
      return removePost(db, post.id);
    }
    if (this.givingUp.signal.aborted) return releasePost(db, post.id);
    const { code } = outcome;
    if (!isRefusal(code)) this.countFailure(post.key, retry);
    const wait = waitMs(post.failures + 1, retry, Math.random());
    this.options.log.warn({ messageId: post.messageId, code, waitMs: wait }, 'a post was not taken');
    await postponePost(db, post.id, { code, waitMs: wait });
  }

  private countFailure(key: string, retry: RetryWaits): void {
    if (this.failing.size < this.concurrency) this.failing.add(key);
    this.failuresInRow += 1;
    this.restUntil = Date.now() + waitMs(this.failuresInRow, retry, Math.random());
  }

  private async attempt({ messageId, path, body }: ClaimedPost): Promise<Delivery> {
    const { receiver, sealer } = this.options;
    let text: string;
    try {
      text = sealer.open(body).toString();
    } catch (error) {
      return { taken: false, code: (error as { code?: string }).code ?? 'UNREADABLE' };
    }
    return receiver.deliver({ messageId, path, body: text }, this.givingUp.signal);
  }

  private async dropOld(): Promise<void> {
    if (Date.now() - this.droppedAt < dropEveryMs) return;
    const { db, log, keepMs = 7 * day } = this.options;
    const dropped = await dropOldPosts(db, keepMs);
    this.droppedAt = Date.now();
    if (dropped.length === 0) return;
    log.error(
      { posts: dropped.length, messageIds: dropped.slice(0, shownIds) },
      'posts that were never taken are dropped',
    );
  }

  private cannotRead(error: unknown): void {
    if (!this.databaseFailing) {
      const code = databaseErrorCode(error);
      this.options.log.error({ code }, 'the sender cannot use the outbox: it tries again');
    }
    this.databaseFailing = true;
  }
}

/** The receiver is there, and does not want this one post. */
function isRefusal(code: string): boolean {
  return /^HTTP_4\d\d$/.test(code) && code !== 'HTTP_429';
}

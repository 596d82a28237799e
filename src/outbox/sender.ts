import { setTimeout as sleep } from 'node:timers/promises';
import { databaseErrorCode } from '../db/errors.js';
import type { HandoverDb } from '../db/handover.js';
import type { Destination } from '../db/schema.js';
import type { Logger } from '../log.js';
import type { Sealer } from '../sealing/sealer.js';
import { type RetryWaits, waitMs } from './backoff.js';
import type { Delivery, Receiver } from './deliver.js';
import { type ClaimedPost, claimPosts, postponePost, releasePost, removePost } from './queue.js';

export interface OutboxSenderOptions {
  db: HandoverDb;
  /** Whose posts it sends. */
  destination: Destination;
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
  /** How long a stop waits for posts under way. */
  graceMs?: number;
}

/**
 * Sends what waits in the outbox for one destination, at least once: in order per key, many keys side by side. A post that is not taken
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
    const { db, destination, leaseMs = 15_000 } = this.options;
    const isDown = this.failing.size >= this.concurrency;
    const free = (isDown ? 1 : this.concurrency) - this.sending.size;
    if (free <= 0 || (isDown && Date.now() < this.restUntil)) return;
    const claimed = await claimPosts(db, destination, { most: free, leaseMs });
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
    const { destination } = this.options;
    this.options.log.warn(
      { destination, messageId: post.messageId, code, waitMs: wait },
      'a post was not taken',
    );
    await postponePost(db, post.id, { code, waitMs: wait });
  }

  private countFailure(key: string, retry: RetryWaits): void {
    if (this.failing.size < this.concurrency) this.failing.add(key);
    this.failuresInRow += 1;
    this.restUntil = Date.now() + waitMs(this.failuresInRow, retry, Math.random());
  }

  private async attempt({ messageId, path, body, headers }: ClaimedPost): Promise<Delivery> {
    const { receiver, sealer } = this.options;
    let opened: Uint8Array;
    try {
      opened = sealer.open(body);
    } catch (error) {
      return { taken: false, code: (error as { code?: string }).code ?? 'UNREADABLE' };
    }
    const message = { messageId, path, body: opened, ...(headers !== null && { headers }) };
    return receiver.deliver(message, this.givingUp.signal);
  }

  private cannotRead(error: unknown): void {
    if (!this.databaseFailing) {
      const code = databaseErrorCode(error);
      this.options.log.error({ code }, 'the sender cannot use the outbox: it tries again');
    }
    this.databaseFailing = true;
  }
}

/** Said of the address, the key or the moment, and so of every post alike. */
const ofTheReceiver = ['HTTP_401', 'HTTP_403', 'HTTP_404', 'HTTP_405', 'HTTP_408', 'HTTP_410', 'HTTP_429'];

/** The receiver is there, and does not want this one post. */
function isRefusal(code: string): boolean {
  return /^HTTP_4\d\d$/.test(code) && !ofTheReceiver.includes(code);
}

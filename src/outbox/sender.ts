import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../domain/shared/backoff.js';
import { startStopwatch } from '../store/connection/elapsed.js';
import { databaseErrorCode } from '../store/connection/errors.js';
import type { HandoverDb } from '../store/handover.js';
import {
  type ClaimedPost,
  claimPosts,
  markDead,
  postponePost,
  releasePost,
  removePost,
} from '../store/outbox/queue.js';
import type { Destination } from '../store/schema.js';
import { DamagedPayloadError } from '../store/sealing/errors.js';
import { inboxRow, outboxRow } from '../store/sealing/rows.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { Delivery, Receiver } from './deliver.js';
import { isGivenUp, isOfThePost, isRefusal, isUnreadable } from './giving-up.js';

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
  retry?: Backoff;
  /** A claim holds so long: longer than an attempt may take. */
  leaseMs?: number;
  /** How long a stop waits for posts under way. */
  graceMs?: number;
}

/** The stored post could not be read: that says nothing of the receiver. */
interface Unsent {
  accepted: false;
  code: string;
  unsent: true;
}

/**
 * Sends what waits in the outbox for one destination, at least once: in order per key, many keys side by side. A post that is not
 * accepted makes its own key wait; one that is refused for too long, or cannot be read, is a dead letter. After failures of several keys
 * without a success the receiver counts as down: one post at a time is tried.
 */
export class OutboxSender {
  private readonly sending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly givingUp = new AbortController();
  private loop: Promise<void> | null = null;
  /** Keys whose posts failed since one was taken, as those of a receiver that is down do. */
  private readonly failing = new Set<string>();
  private failuresInRow = 0;
  /** Since the receiver took a post; null: it never did. */
  private acceptedAgo: (() => number) | null = null;
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
    const graceTimer = setTimeout(() => this.givingUp.abort(), this.options.graceMs ?? 3_000);
    await Promise.all(this.sending);
    clearTimeout(graceTimer);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const began = performance.now();
      await this.sendDue().catch((error) => this.cannotRead(error));
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

  private async sendDue(): Promise<void> {
    const { db, destination, leaseMs = 15_000 } = this.options;
    const isDown = this.failing.size >= this.concurrency;
    const free = (isDown ? 1 : this.concurrency) - this.sending.size;
    if (free <= 0 || (isDown && Date.now() < this.restUntil)) return;
    const claimedAgo = startStopwatch();
    const claimed = await claimPosts(db, destination, { most: free, leaseMs });
    this.databaseFailing = false;
    // a process that was frozen meanwhile: the lease of its claims may be over, and another one sends them
    const isLate = claimedAgo() > leaseMs / 3;
    for (const post of claimed) {
      if (isLate) await releasePost(db, post);
      else this.begin(post);
    }
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
    if (outcome.accepted) {
      this.failing.clear();
      this.failuresInRow = 0;
      this.acceptedAgo = startStopwatch();
      return removePost(db, post.id);
    }
    if (this.givingUp.signal.aborted) return releasePost(db, post);
    const { code } = outcome;
    const { destination, log } = this.options;
    const { messageId, refusedForMs } = post;
    if ('unsent' in outcome) {
      if (isUnreadable(code)) {
        log.error({ destination, messageId, code }, 'a stored post cannot be read: it is a dead letter now');
        return markDead(db, post, code);
      }
    } else if (!isOfThePost(code)) this.countFailure(post.key, retry);
    const wait = backoffMs(post.failures + 1, retry, spread());
    if (isGivenUp(code, refusedForMs, this.acceptedAgo?.() ?? Infinity)) {
      log.error({ destination, messageId, code }, 'a post is refused for too long: it is a dead letter now');
      return markDead(db, post, code);
    }
    log.warn({ destination, messageId, code, waitMs: wait }, 'a post was not accepted');
    await postponePost(db, post, { code, waitMs: wait, isRefused: isRefusal(code) });
  }

  private countFailure(key: string, retry: Backoff): void {
    if (this.failing.size < this.concurrency) this.failing.add(key);
    this.failuresInRow += 1;
    this.restUntil = Date.now() + backoffMs(this.failuresInRow, retry, spread());
  }

  private async attempt({ messageId, path, body, headers }: ClaimedPost): Promise<Delivery | Unsent> {
    const { receiver, sealer, destination } = this.options;
    let opened: Uint8Array;
    try {
      opened = openPost(sealer, destination, { messageId, body });
    } catch (error) {
      return { accepted: false, code: (error as { code?: string }).code ?? 'UNREADABLE', unsent: true };
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

/**
 * A forwarded callback is still sealed for its row of the inbox. Its message id is the event's, or holds it
 * (`forwardStored`).
 */
function openPost(
  sealer: Pick<Sealer, 'open'>,
  destination: Destination,
  { messageId, body }: Pick<ClaimedPost, 'messageId' | 'body'>,
): Uint8Array {
  if (destination !== 'forward') return sealer.open(body, outboxRow(messageId));
  const contentHash = /^content:(.+):\d+$/.exec(messageId)?.[1];
  try {
    return sealer.open(body, inboxRow(contentHash ?? messageId));
  } catch (error) {
    // a sender's own id may look like one of ours
    if (contentHash === undefined || !(error instanceof DamagedPayloadError)) throw error;
    return sealer.open(body, inboxRow(messageId));
  }
}

/** Shortens a wait by up to a half: keys that failed together come back apart. @param chance from 0 to 1 */
export function spread(chance = Math.random()): number {
  return 1 - chance / 2;
}

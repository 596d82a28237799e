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
  /** The destination whose posts it sends. */
  destination: Destination;
  receiver: Receiver;
  sealer: Pick<Sealer, 'open'>;
  log: Logger;
  /** Posts under way at once. */
  concurrency?: number;
  /** How often it polls for new posts. */
  pollMs?: number;
  retry?: Backoff;
  /** How long a claim is valid: longer than an attempt may take. */
  leaseMs?: number;
  /** How long a stop waits for posts under way. */
  graceMs?: number;
}

/** The stored post could not be read, so nothing was sent. */
interface Unsent {
  accepted: false;
  code: string;
  unsent: true;
}

/**
 * Sends the posts of one destination at least once: in order per key, many keys side by side. A post that is not accepted
 * delays only its own key; one that is refused for too long, or cannot be read, becomes a dead letter. After failures of
 * several keys without a success the receiver counts as down: one post at a time is tried.
 */
export class OutboxSender {
  private readonly sending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly givingUp = new AbortController();
  private loop: Promise<void> | null = null;
  /** Keys whose posts failed since the last accepted post: many of them mean that the receiver is down. */
  private readonly failing = new Set<string>();
  private failuresInRow = 0;
  /** Milliseconds since the receiver accepted a post; null: it never did. */
  private acceptedAgo: (() => number) | null = null;
  /** While the receiver is down, nothing is sent before this time of a monotonic clock. */
  private restUntil = 0;
  /** The last poll of the database failed: logged once, not at every poll. */
  private databaseFailing = false;

  private readonly concurrency: number;

  constructor(private readonly options: OutboxSenderOptions) {
    this.concurrency = options.concurrency ?? 4;
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** Begins nothing new, and aborts attempts that do not end within a moment: their posts are sent again at the next start. */
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
      await this.sendDue().catch((error) => this.reportDatabaseFailure(error));
      // with a long backlog, polling takes a third of the time at most, because others use the database too
      await this.pause(Math.max(this.options.pollMs ?? 500, 2 * (performance.now() - began)));
    }
  }

  /** Waits `ms`, or until a post under way has ended: the next of its key may then be sent. */
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
    if (free <= 0 || (isDown && performance.now() < this.restUntil)) return;
    const claimedAgo = startStopwatch();
    const claimed = await claimPosts(db, destination, { most: free, leaseMs });
    this.databaseFailing = false;
    // this process was frozen meanwhile: the claims may be over, and another process may send the posts
    const isLate = claimedAgo() > leaseMs / 3;
    for (const post of claimed) {
      if (isLate) await releasePost(db, post);
      else this.begin(post);
    }
  }

  private begin(post: ClaimedPost): void {
    const sent: Promise<void> = this.send(post)
      .catch((error) => this.reportDatabaseFailure(error))
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
    this.restUntil = performance.now() + backoffMs(this.failuresInRow, retry, spread());
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

  private reportDatabaseFailure(error: unknown): void {
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
    // the platform's own id may look like one of ours
    if (contentHash === undefined || !(error instanceof DamagedPayloadError)) throw error;
    return sealer.open(body, inboxRow(messageId));
  }
}

/** A factor that shortens a wait by up to a half, so that keys that failed together are not retried together. @param chance from 0 to 1 */
export function spread(chance = Math.random()): number {
  return 1 - chance / 2;
}

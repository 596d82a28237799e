import { databaseErrorCode } from '../db/errors.js';
import type { Session } from '../db/session.js';
import type { Logger } from '../log.js';
import { WakeUp } from './wake-up.js';

/** Told after each stored event: the active relay looks. */
export const storedChannel = 'handover_stored';

/** Who holds this lock is the active relay ("relay" in ASCII, cut). */
export const relayLock = 0x72656c61;

/** What the active process does, from its start to its stop. */
export interface Duty {
  start(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
  /** New events are stored. */
  wake?(): void;
}

export interface OneActiveOptions {
  session: () => Promise<Session>;
  /** Made anew each time this process becomes active. */
  duties: () => Duty[];
  log: Logger;
  /** How often a process that stands by tries the lock, and the active one makes sure of it. */
  everyMs?: number;
}

/**
 * Of all processes that share a database one relay is active: the one that holds an advisory lock. The others stand by
 * and take over within a second when its process ends, and in some fifteen when its machine or line is cut off. Temporal,
 * not the relay, is the bottleneck: more than one would gain nothing.
 *
 * The lock belongs to a connection. When that is lost, or does not answer, nothing new is begun; a send that was under way
 * may still arrive after the next process has begun. That does no harm, and neither would two that are active at once: an
 * event leaves `received` only after the engine has it, and a batch begins with the oldest that waits, so whoever
 * sends an event has sent, or sends before it, all that came earlier. The engine sees each for the first time in order,
 * and repeats carry the same ids.
 */
export class OneActive {
  private readonly everyMs: number;
  /** Between two looks, unless something happens. */
  private readonly nap = new WakeUp();
  private stopping = false;
  private loop: Promise<void> | null = null;
  private active: Duty[] = [];
  private failing = false;

  constructor(private readonly options: OneActiveOptions) {
    this.everyMs = options.everyMs ?? 1_000;
  }

  start(): void {
    this.loop ??= this.run();
  }

  wake(): void {
    for (const duty of this.active) duty.wake?.();
  }

  /** Resolves when nothing is under way and the lock is free for the next. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.nap.call();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      await this.takeTurns().catch((error) => this.cannotHold(error));
      if (!this.stopping) await this.nap.wait(this.everyMs);
    }
  }

  private async takeTurns(): Promise<void> {
    const session = await this.options.session();
    const here = { alive: true };
    void session.lost.then(() => {
      here.alive = false;
      this.nap.call();
    });
    try {
      await session.listen(storedChannel, () => this.wake());
      while (here.alive && !this.stopping) {
        const mine = await session.tryLock(relayLock);
        this.failing = false;
        if (mine) return await this.serve(session, here);
        await this.nap.wait(this.everyMs);
      }
    } finally {
      await session.close();
    }
  }

  private async serve(session: Session, here: { alive: boolean }): Promise<void> {
    const { duties, log } = this.options;
    this.active = duties();
    for (const duty of this.active) duty.start();
    log.info('this relay is the active one');
    try {
      while (here.alive && !this.stopping) {
        await session.ping();
        await this.nap.wait(this.everyMs);
      }
    } finally {
      await Promise.all(this.active.splice(0).map((duty) => duty.stop()));
      log.info('this relay is no longer the active one');
    }
  }

  private cannotHold(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    this.options.log.error({ code: databaseErrorCode(error) }, 'the relay has no connection: it tries again');
  }
}

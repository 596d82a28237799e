import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { Backoff } from '../../domain/shared/backoff.js';
import type { ReadRow } from '../../store/callbacks/types.js';
import { bury, countRefusal, markSent, recordVerdicts } from '../../store/callbacks/verdicts.js';
import { type Waiting, type WaitingBatch, waitingEvents } from '../../store/callbacks/waiting.js';
import { databaseErrorCode, isDataError } from '../../store/connection/errors.js';
import { GroupCommit } from '../../store/connection/group-commit.js';
import type { Lease } from '../../store/connection/lease.js';
import type { HandoverDb } from '../../store/handover.js';
import type { RecordLate } from '../../store/reservations/late-events.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { EventsRefusedError, type SendBatch } from '../../temporal/client/reservations/send.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';
import type { CallbackWire } from '../event/decode.js';
import { SampledLog } from '../sampled-log.js';
import { Outage } from './outage.js';
import { readBatch } from './read-batch.js';
import { RetryGate } from './retry-gate.js';
import { WakeUp } from './wake-up.js';
import { YieldingLimit } from './yielding-limit.js';

const longestPauseMs = 250;
/** In a row, without a pause. */
const mostReads = 4;
/** A quarter of what Temporal accepts in one payload. */
const mostBytes = 512 * 1024;

export interface RelayOptions {
  db: HandoverDb;
  wire: CallbackWire;
  sealer: Sealer;
  send: SendBatch;
  /** For events of a reservation that is closed. */
  recordLate: RecordLate;
  log: Logger;
  /** Sends under way at once. */
  concurrency?: number;
  /** Bounds of one signal; bytes as stored, and again decompressed and as JSON. */
  maxEvents?: number;
  maxBytes?: number;
  /** Both channels report a change within moments: so long the first waits for the second, to travel with it. */
  coalesceMs?: number;
  /** Where receiver and relay are two processes, the relay polls at this interval. */
  pollMs?: number;
  /** First and longest wait after a failure. */
  retry?: Backoff;
  /** After so many refusals an event is a dead letter. */
  maxRefusals?: number;
  /** How late the event loop is (see `measureEventLoop`). */
  lagMs?: () => number;
  /** The receiver of this process is overloaded (see `Overload`): it has precedence. */
  isOverloaded?: () => boolean;
  /** The receiver's clock. */
  clock?: () => number;
  /** Without a valid one nothing is sent or marked; absent: there is no other relay. */
  lease?: Lease;
}

/** Between two looks: under load one look serves many reservations. */
const paceMs = 20;

/**
 * Takes waiting events to their workflows: per reservation in order of arrival and one send at a time, many
 * reservations side by side. Nothing is lost: a row leaves `received` only after the engine has it, so a crash in
 * between repeats the signal, and the workflow knows the events' ids. An engine that is down makes all wait; an event
 * that it refuses makes its own reservation wait, some two minutes long: then it is a dead letter, and the others continue.
 * A reservation whose events alone it does not take waits as long as that lasts.
 */
export class Relay {
  private readonly sending = new Map<number, Promise<void>>();
  /** Reservations whose events were refused or not taken: tried again later, one event at a time. */
  private readonly refused = new Map<number, RetryGate>();
  private readonly engine: Outage;
  private readonly wakeUp = new WakeUp();
  private readonly limit: YieldingLimit;
  private readonly sampled: SampledLog;
  private readonly marks: GroupCommit<ReadRow[]>;
  private readonly coalesceMs: number;
  private readonly clock: () => number;
  private loop: Promise<void> | null = null;
  private later: NodeJS.Timeout | null = null;
  private stopping = false;
  turnedAt = performance.now();
  /** The inbox did not answer at the last look: said once, not at every look. */
  private inboxFailing = false;

  constructor(private readonly options: RelayOptions) {
    const { concurrency = 16, coalesceMs = 40, clock = Date.now } = options;
    const { lagMs = () => 0, isOverloaded = () => false } = options;
    this.coalesceMs = coalesceMs;
    this.clock = clock;
    this.engine = new Outage(this.backoff());
    this.limit = new YieldingLimit({ most: concurrency, lagMs, isOverloaded });
    this.sampled = new SampledLog(options.log);
    this.marks = new GroupCommit({
      write: (rows) => markSent(options.db, rows.flat(), clock(), options.lease),
      isItemsFault: isDataError,
      maxItems: 64,
    });
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** New events are stored: look when they have waited for what belongs to them. */
  wake(): void {
    this.later ??= setTimeout(() => {
      this.later = null;
      this.wakeUp.call();
    }, this.coalesceMs);
  }

  /** Resolves when the sends under way are finished and marked; nothing new is begun. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.later !== null) clearTimeout(this.later);
    this.wakeUp.call();
    await this.loop;
    await Promise.all(this.sending.values());
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.turnedAt = performance.now();
      await this.wakeUp.wait(this.options.pollMs ?? 250);
      await sleep(paceMs);
      if (this.stopping) return;
      const began = Date.now();
      await this.sendWaiting().catch((error) => this.cannotRead(error));
      // the receiver wants the same database: looking takes a third of the time at most
      await sleep(Math.min(longestPauseMs, 2 * (Date.now() - began)));
    }
  }

  private async sendWaiting(reads = mostReads): Promise<void> {
    const { db, maxEvents = 100, maxBytes = mostBytes } = this.options;
    if (!this.isLeaseValid || !this.engine.isOver(Date.now())) return;
    // an engine that was down is asked with one batch before all go at once
    const { size } = this.sending;
    const free = this.engine.isUnderWay ? 1 - size : this.limit.more(size);
    if (free <= 0) return;
    const except = [...this.sending.keys(), ...this.resting(), ...this.engine.probedReservations()];
    const now = this.clock();
    const olderThan = now - this.coalesceMs;
    const waiting = await waitingEvents(db, {
      except,
      olderThan,
      now,
      reservations: free,
      maxEvents,
      maxBytes,
    });
    this.inboxFailing = false;
    this.forgetNotWaiting(waiting, except);
    if (waiting.young) this.wakeUp.call();
    else if (waiting.batches.length === 0) this.engine.startRound();
    await this.markInvalid(waiting.unreadable);
    for (const batch of waiting.batches) this.begin(batch);
    // a long backlog of a few reservations hides the others: now those few are under way
    const { length } = waiting.batches;
    if (waiting.more && length > 0 && length < free && reads > 1) await this.sendWaiting(reads - 1);
  }

  /** Another process, or a person, saw to what was refused here. */
  private forgetNotWaiting({ more, reservations }: Waiting, except: readonly number[]): void {
    if (more) return;
    const waits = new Set([...reservations, ...except]);
    for (const reservationId of this.refused.keys()) {
      if (!waits.has(reservationId)) this.refused.delete(reservationId);
    }
  }

  private begin(batch: WaitingBatch): void {
    const sent = this.deliver(batch).finally(() => {
      this.sending.delete(batch.reservationId);
      this.wakeUp.call();
    });
    this.sending.set(batch.reservationId, sent);
  }

  private async deliver(batch: WaitingBatch): Promise<void> {
    const { reservationId, rows } = batch;
    const attempted = this.refused.has(reservationId) ? rows.slice(0, 1) : rows;
    const { maxBytes = mostBytes } = this.options;
    const read = readBatch(reservationId, attempted, this.options, maxBytes);
    const { events, lacksKey } = read;
    try {
      await this.markInvalid(read.invalid);
      await this.giveUp(reservationId, read.damaged, 'CODEC_PAYLOAD_DAMAGED');
      await this.giveUp(reservationId, read.misplaced, 'RESERVATION_DIFFERS');
      if (events.length > 0 && this.isLeaseValid) await this.hand(batch, events);
      if (lacksKey !== null) this.lacksKey(reservationId, lacksKey);
      else this.refused.delete(reservationId);
    } catch (error) {
      await this.handleFailure(reservationId, events, error);
    }
  }

  private async hand(
    { reservationId, hasCaseFile, ended }: WaitingBatch,
    events: ReservationEvent[],
  ): Promise<void> {
    const { send, recordLate, lease } = this.options;
    const outcome = await send(reservationId, events, hasCaseFile, lease?.remainingMs(), ended);
    this.engineAnswered();
    if (outcome === 'sent') {
      return this.marks.add(events.map(rowOf));
    }
    await recordLate(reservationId, events, this.clock(), lease);
  }

  private async markInvalid(rows: ReadRow[]): Promise<void> {
    const { db, lease } = this.options;
    await recordVerdicts(db, rows, { verdict: 'invalid', rule: 'L63', at: this.clock() }, lease);
  }

  private async handleFailure(
    reservationId: number,
    events: ReservationEvent[],
    error: unknown,
  ): Promise<void> {
    const { log } = this.options;
    if (!this.isLeaseValid) return;
    if (error instanceof EngineUnavailableError) return this.restAfterRefusal(reservationId, error.code);
    this.rest(reservationId);
    if (!(error instanceof EventsRefusedError)) return this.cannotRead(error);
    this.engineAnswered();
    log.warn({ reservationId, code: error.code }, 'the engine refuses events of one reservation');
    const [first, ...others] = events;
    // of several it is unknown which one it was: the next time the first goes alone
    if (first === undefined || others.length > 0) return;
    await this.handleLoneRefusal(reservationId, rowOf(first), error).catch((cause) => this.cannotRead(cause));
  }

  /** A reservation that fails again while others succeed is not delayed by the engine, and does not delay the others. */
  private restAfterRefusal(reservationId: number, code: string): void {
    const { log } = this.options;
    const alone = this.refused.has(reservationId) && !this.engine.isUnderWay;
    this.rest(reservationId);
    if (alone) {
      log.warn({ reservationId, code }, 'Temporal accepts no events of one reservation; they wait in order');
      return;
    }
    if (!this.engine.isUnderWay) log.warn({ code }, 'Temporal accepts no events; they wait in order');
    this.engine.recordFailure(reservationId, Date.now());
  }

  private engineAnswered(): void {
    if (this.engine.isUnderWay) this.options.log.info('Temporal accepts events again');
    for (const reservationId of this.engine.end()) this.refused.get(reservationId)?.tryNow();
  }

  private async handleLoneRefusal(
    reservationId: number,
    row: ReadRow,
    error: EventsRefusedError,
  ): Promise<void> {
    const { db, maxRefusals = 10, lease } = this.options;
    const refusals = await countRefusal(db, row, error.code, lease);
    if (refusals < maxRefusals) return;
    await this.giveUp(reservationId, error.whicheverEvent ? 'all' : [row], error.code);
    this.refused.delete(reservationId);
  }

  /** Dead letters: stored with their reason until an operator puts them back; later callbacks continue. */
  private async giveUp(reservationId: number, rows: ReadRow[] | 'all', code: string): Promise<void> {
    const { db, lease, log } = this.options;
    const [inboxId, ...others] = await bury(db, { reservationId, rows, code }, lease);
    if (inboxId === undefined) return;
    log.error(
      { reservationId, inboxId, code, events: 1 + others.length },
      'events of one reservation are dead letters now',
    );
  }

  /** No fault of the event: it waits until a process with the key is there, and with it what came later. */
  private lacksKey(reservationId: number, keyId: string): void {
    this.rest(reservationId);
    this.sampled.lacksKey(keyId, reservationId);
  }

  private rest(reservationId: number): void {
    const rest = this.refused.get(reservationId) ?? this.backoff();
    rest.failed(Date.now());
    this.refused.set(reservationId, rest);
  }

  private cannotRead(error: unknown): void {
    if (this.inboxFailing) return;
    this.inboxFailing = true;
    this.options.log.error(
      { code: databaseErrorCode(error) },
      'the relay cannot use the inbox: it tries again',
    );
  }

  /** A process that was frozen finds its lease over: another relay sends what waits. */
  private get isLeaseValid(): boolean {
    return this.options.lease === undefined || this.options.lease.remainingMs() > 0;
  }

  private resting(): number[] {
    const now = Date.now();
    return [...this.refused].filter(([, rest]) => !rest.isOver(now)).map(([reservationId]) => reservationId);
  }

  private backoff(): RetryGate {
    return new RetryGate(this.options.retry ?? { firstMs: 200, longestMs: 30_000 });
  }
}

function rowOf({ inboxId, replay = 0 }: ReservationEvent): ReadRow {
  return { id: inboxId, replays: replay };
}

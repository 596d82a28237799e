import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Tracing } from '../../contract/tracing.js';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import { shardOf } from '../../store/callbacks/shard.js';
import type { FencedRow, OnJudged, ReadRow } from '../../store/callbacks/types.js';
import {
  countRefusal,
  markDeadLetters,
  markSent,
  recordVerdicts,
  selectStillSent,
} from '../../store/callbacks/verdicts.js';
import { type WaitingBatch, waitingEvents } from '../../store/callbacks/waiting.js';
import { databaseErrorCode, isDataError } from '../../store/connection/errors.js';
import { GroupCommit } from '../../store/connection/group-commit.js';
import type { Lease } from '../../store/connection/lease.js';
import type { HandoverDb } from '../../store/handover.js';
import type { RecordLate } from '../../store/reservations/late-events.js';
import { CodecError, KeyStoreError } from '../../store/sealing/errors.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { EventsRefusedError, type SendBatch } from '../../temporal/client/reservations/send.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';
import type { CallbackWire } from '../event/decode.js';
import { SampledLog } from '../sampled-log.js';
import { type RelayLimits, relayLimits } from './limits.js';
import { Outage } from './outage.js';
import { Postponed } from './postponed.js';
import { Rate } from './rate.js';
import { readBatch } from './read-batch.js';
import { RetryGate } from './retry-gate.js';
import type { OwnShards, ShardDuty } from './shard-owner.js';
import { traceSend } from './trace-sends.js';
import { Unjudged } from './unjudged.js';
import { WakeUp } from './wake-up.js';
import { YieldingLimit } from './yielding-limit.js';

const longestPauseMs = 250;
/** Reads in a row, without a pause. */
const mostReads = 4;

export interface RelayOptions extends Partial<RelayLimits> {
  db: HandoverDb;
  wire: CallbackWire;
  sealer: Sealer;
  send: SendBatch;
  /** For events of a reservation that is closed. */
  recordLate: RecordLate;
  log: Logger;
  /** The signals without a verdict of all relays of this process; absent: of this relay alone. */
  unjudged?: Unjudged;
  /** How late the event loop is (see `measureEventLoop`). */
  lagMs?: () => number;
  /** The receiver of this process is overloaded (see `callbackOverload`): it has precedence. */
  isOverloaded?: () => boolean;
  /** Of events sent; while it is high, the relay is busy. */
  rate?: Rate;
  /** The receiver's clock. */
  clock?: () => number;
  /** For metrics. */
  onJudged?: OnJudged;
  /** Absent: nothing is traced. */
  tracing?: Tracing | undefined;
  /** Only events of these are sent and marked, under a valid lease. */
  shards: OwnShards;
}

/** A batch and the lease of its shard, as it was when the batch began. */
type FencedBatch = WaitingBatch & { lease: Lease };

/** Between two polls: under load one poll serves many reservations. */
const paceMs = 20;
/** Between two readings of verdicts, while no signal may begin without one. */
const verdictsEveryMs = 50;
/** From the first new event to the next poll: events of many reservations arrive together. */
const gatherMs = 20;

/**
 * Sends waiting events to their workflows: per reservation in order of arrival and one send at a time, many reservations
 * side by side. Nothing is lost: a row leaves `received` only after the engine has the event. A crash in between repeats
 * the signal, and the workflow recognises the events' ids. While the engine is down, all events wait. An event that it
 * refuses delays its own reservation for some two minutes; then it becomes a dead letter, and later events continue. Where
 * the engine accepts no events of one reservation alone, that reservation waits as long as this lasts.
 */
export class Relay implements ShardDuty {
  private readonly sending = new Map<number, Promise<void>>();
  private readonly postponed: Postponed;
  private readonly engine: Outage;
  private readonly wakeUp = new WakeUp();
  private readonly limit: YieldingLimit;
  private readonly unjudged: Unjudged;
  private readonly sampled: SampledLog;
  private readonly marks: GroupCommit<FencedRow[]>;
  private readonly limits: RelayLimits;
  private readonly rate: Rate;
  private readonly clock: () => number;
  private loop: Promise<void> | null = null;
  private later: { timer: NodeJS.Timeout; at: number } | null = null;
  /** The last poll left something that is due. */
  private hasBacklog = false;
  private stopping = false;
  turnedAt = performance.now();
  /** The last poll of the inbox failed: logged once, not at every poll. */
  private inboxFailing = false;

  constructor(private readonly options: RelayOptions) {
    const { clock = Date.now, lagMs = () => 0, isOverloaded = () => false } = options;
    this.limits = { ...relayLimits, ...options };
    const { concurrency, retry, busyPerSecond } = this.limits;
    this.rate = options.rate ?? new Rate(busyPerSecond);
    this.clock = clock;
    this.postponed = new Postponed(retry);
    this.engine = new Outage(new RetryGate(retry));
    this.limit = new YieldingLimit({ most: concurrency, lagMs, isOverloaded });
    const ofThisRelay = () => new Unjudged({ selectStillSent: (ids) => selectStillSent(options.db, ids) });
    this.unjudged = options.unjudged ?? ofThisRelay();
    this.sampled = new SampledLog(options.log);
    this.marks = new GroupCommit({
      write: (rows) => markSent(options.db, rows.flat(), clock()),
      isItemsFault: isDataError,
      maxItems: 64,
    });
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** New events are stored. */
  wake(): void {
    this.wakeIn(Math.min(this.limits.coalesceMs, gatherMs));
  }

  private wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.later !== null && this.later.at <= at) return;
    clearTimeout(this.later?.timer);
    const timer = setTimeout(() => {
      this.later = null;
      this.wakeUp.call();
    }, ms);
    this.later = { timer, at };
  }

  /** Resolves when the sends under way are finished and marked; nothing new is begun. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.later?.timer);
    this.wakeUp.call();
    await this.loop;
    await Promise.all(this.sending.values());
  }

  get lacksKey(): boolean {
    return this.postponed.lacksKey;
  }

  async drained(shard: number): Promise<void> {
    const ofShard = [...this.sending].filter(([reservationId]) => shardOf(reservationId) === shard);
    await Promise.all(ofShard.map(([, sent]) => sent));
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.turnedAt = performance.now();
      await this.wakeUp.wait(this.limits.pollMs);
      await sleep(paceMs);
      if (this.stopping) return;
      const began = performance.now();
      await this.sendWaiting().catch((error) => this.reportInboxFailure(error));
      // polling takes a third of the time at most, because the receiver uses the same database
      await sleep(Math.min(longestPauseMs, 2 * (performance.now() - began)));
    }
  }

  private async sendWaiting(reads = mostReads): Promise<void> {
    const { db } = this.options;
    const { maxEvents, maxBytes, coalesceMs, busyCoalesceMs } = this.limits;
    const isBusy = this.rate.isHigh;
    const shards = this.validShards();
    if (shards.length === 0) this.postponed.forgetLackedKeys();
    if (shards.length === 0 || !this.engine.isOver(performance.now())) return;
    const free = await this.readFreeSends();
    if (free <= 0) return;
    const except = [...this.sending.keys(), ...this.postponed.waiting(), ...this.engine.probedReservations()];
    const now = this.clock();
    const waiting = await waitingEvents(db, {
      shards,
      except,
      waitMs: isBusy ? busyCoalesceMs : coalesceMs,
      pairsWait: isBusy,
      now,
      reservations: free,
      maxEvents,
      maxBytes,
    });
    this.inboxFailing = false;
    if (!waiting.more) this.postponed.forgetAllBut(new Set([...waiting.reservations, ...except]));
    this.hasBacklog = waiting.isLeft || (waiting.more && waiting.batches.length > 0);
    if (waiting.dueInMs !== null) this.wakeIn(waiting.dueInMs);
    else if (waiting.batches.length === 0) this.engine.startRound();
    const first = this.leaseOf(0);
    if (first !== undefined) await this.markInvalid(waiting.unreadable, first);
    for (const batch of waiting.batches) this.begin(batch);
    // a long backlog of a few reservations hides the others: read again without those few
    const { length } = waiting.batches;
    if (waiting.more && length > 0 && length < free && reads > 1) await this.sendWaiting(reads - 1);
  }

  private async readFreeSends(): Promise<number> {
    const { size } = this.sending;
    // during an outage one batch probes the engine
    if (this.engine.isUnderWay) return 1 - size;
    const room = await this.unjudged.readRoom(size);
    if (room > 0) return Math.min(room, this.limit.more(size));
    // a verdict does not wake the relay
    this.wakeIn(verdictsEveryMs);
    return 0;
  }

  private begin(batch: WaitingBatch): void {
    const lease = this.leaseOf(batch.reservationId);
    // its shard has gone to another process while it was read
    if (lease === undefined) return;
    const sent = this.deliver({ ...batch, lease }).finally(() => {
      this.sending.delete(batch.reservationId);
      // what came meanwhile waits for further callbacks anyway, and one poll serves several sends
      if (this.hasBacklog) this.wakeUp.call();
      else this.wake();
    });
    this.sending.set(batch.reservationId, sent);
  }

  private async deliver(batch: FencedBatch): Promise<void> {
    const { reservationId, rows, lease } = batch;
    const attempted = this.postponed.has(reservationId) ? rows.slice(0, 1) : rows;
    const { maxBytes } = this.limits;
    let events: ReservationEvent[] = [];
    try {
      const read = readBatch(reservationId, attempted, this.options, maxBytes);
      const { lacksKey } = read;
      ({ events } = read);
      await this.markInvalid(read.invalid, lease);
      await this.giveUp(batch, read.damaged, 'CODEC_PAYLOAD_DAMAGED');
      await this.giveUp(batch, read.misplaced, 'RESERVATION_DIFFERS');
      if (events.length > 0 && isValid(lease)) await this.passToWorkflow(batch, events);
      if (lacksKey !== null)
        this.postponeWithoutKey(reservationId, { code: 'CODEC_KEY_UNKNOWN', keyId: lacksKey });
      else this.postponed.forget(reservationId);
    } catch (error) {
      await this.handleFailure(batch, events, error);
    }
  }

  private async passToWorkflow(batch: FencedBatch, events: ReservationEvent[]): Promise<void> {
    const { reservationId, hasCaseFile, ended, lease } = batch;
    const { send, recordLate, tracing } = this.options;
    const outcome = await traceSend(tracing, batch, events, () =>
      send(reservationId, events, hasCaseFile, lease.remainingMs(), ended),
    );
    this.recordEngineAnswer();
    if (outcome === 'sent') {
      this.rate.record(events.length);
      await this.marks.add(events.map((event) => ({ ...rowOf(event), fence: lease })));
      // a callback that is sent again had no verdict for minutes: its workflow may be stuck, and it holds up no other
      const last = batch.rows.find(({ id }) => id === events.at(-1)?.inboxId);
      if (last?.resends === 0) this.unjudged.record(last.id);
      return;
    }
    await recordLate(reservationId, events, this.clock(), lease);
  }

  private async markInvalid(rows: ReadRow[], lease: Lease): Promise<void> {
    const { db, onJudged } = this.options;
    const judged = { verdict: 'invalid', rule: 'L63', at: this.clock() } as const;
    const changed = await recordVerdicts(db, rows, judged, lease);
    onJudged?.(changed);
  }

  private async handleFailure(batch: FencedBatch, events: ReservationEvent[], error: unknown): Promise<void> {
    const { log } = this.options;
    const { reservationId, lease } = batch;
    if (!isValid(lease)) return;
    if (error instanceof EngineUnavailableError) return this.postponeAfterOutage(reservationId, error.code);
    if (error instanceof CodecError) return this.postponeWithoutKey(reservationId, error);
    if (error instanceof KeyStoreError) return this.postponeWithoutDatabase(reservationId, error);
    this.postponed.postpone(reservationId);
    if (!(error instanceof EventsRefusedError)) return this.reportInboxFailure(error);
    this.recordEngineAnswer();
    log.warn({ reservationId, code: error.code }, 'the engine refuses events of one reservation');
    const [first, ...others] = events;
    // of several events it is unknown which one was refused: the next try sends the first alone
    if (first === undefined || others.length > 0) return;
    await this.handleLoneRefusal(batch, rowOf(first), error).catch((cause) => this.reportInboxFailure(cause));
  }

  /** A reservation that fails again while others succeed is no sign of an outage, and does not delay the others. */
  private postponeAfterOutage(reservationId: number, code: string): void {
    const { log } = this.options;
    const alone = this.postponed.has(reservationId) && !this.engine.isUnderWay;
    this.postponed.postpone(reservationId);
    if (alone) {
      log.warn({ reservationId, code }, 'Temporal accepts no events of one reservation; they wait in order');
      return;
    }
    if (!this.engine.isUnderWay) log.warn({ code }, 'Temporal accepts no events; they wait in order');
    this.engine.recordFailure(reservationId, performance.now());
  }

  private recordEngineAnswer(): void {
    if (this.engine.isUnderWay) this.options.log.info('Temporal accepts events again');
    this.postponed.retryNow(this.engine.end());
  }

  private async handleLoneRefusal(
    batch: FencedBatch,
    row: ReadRow,
    error: EventsRefusedError,
  ): Promise<void> {
    const { db } = this.options;
    const { maxRefusals } = this.limits;
    const { reservationId, lease } = batch;
    const refusals = await countRefusal(db, row, error.code, lease);
    if (refusals < maxRefusals) return;
    await this.giveUp(batch, error.whicheverEvent ? 'all' : [row], error.code);
    this.postponed.forget(reservationId);
  }

  /** Makes rows dead letters: stored with their reason until an operator replays them; later callbacks continue. */
  private async giveUp(
    { reservationId, lease }: FencedBatch,
    rows: ReadRow[] | 'all',
    code: string,
  ): Promise<void> {
    const { db, log } = this.options;
    const [inboxId, ...others] = await markDeadLetters(db, { reservationId, rows, code }, lease);
    if (inboxId === undefined) return;
    log.error(
      { reservationId, inboxId, code, events: 1 + others.length },
      'events of one reservation are dead letters now',
    );
  }

  /** The event and all later ones wait until a process with the key sends them. */
  private postponeWithoutKey(reservationId: number, missing: Pick<CodecError, 'code' | 'keyId'>): void {
    if (missing.code === 'CODEC_KEY_UNKNOWN') this.postponed.postponeWithoutKey(reservationId);
    else this.postponed.postpone(reservationId);
    this.sampled.logMissingKey(missing, reservationId);
  }

  /** No sign of an outage of Temporal: other reservations, whose keys are in memory, continue. */
  private postponeWithoutDatabase(reservationId: number, error: KeyStoreError): void {
    this.postponed.postpone(reservationId);
    this.sampled.logNoDataKey(databaseErrorCode(error), reservationId);
  }

  private reportInboxFailure(error: unknown): void {
    if (this.inboxFailing) return;
    this.inboxFailing = true;
    this.options.log.error(
      { code: databaseErrorCode(error) },
      'the relay cannot use the inbox: it tries again',
    );
  }

  /** Empty after this process was frozen: other relays send the waiting events. */
  private validShards(): readonly number[] {
    return [...this.options.shards].filter(([, lease]) => isValid(lease)).map(([shard]) => shard);
  }

  private leaseOf(reservationId: number): Lease | undefined {
    return this.options.shards.get(shardOf(reservationId));
  }
}

function isValid(lease: Lease): boolean {
  return lease.remainingMs() > 0;
}

function rowOf({ inboxId, replay = 0 }: ReservationEvent): ReadRow {
  return { id: inboxId, replays: replay };
}

import { randomBytes } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { arrayOverlaps, eq, isNull, ne, sql } from 'drizzle-orm';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { runErase } from '../../src/app/commands/erase.js';
import { eraseDue } from '../../src/app/parts/erase-due.js';
import { erasureDuty } from '../../src/app/parts/erasure.js';
import type { Setting } from '../../src/app/startup/setting.js';
import { photoKeyScope, reservationWorkflowId } from '../../src/contract/names.js';
import { holdFacts, holdView } from '../../src/domain/hold/index.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createAnswers } from '../../src/store/answers.js';
import { writeAudit } from '../../src/store/audit.js';
import { createBookingReads } from '../../src/store/bookings/reads.js';
import { resolveBooking } from '../../src/store/bookings/resolve.js';
import { noteBooking, storeBooking } from '../../src/store/bookings/rows.js';
import { hasDeadLetters } from '../../src/store/callbacks/backlog.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { Arrival } from '../../src/store/callbacks/types.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { createDataKeys } from '../../src/store/data-keys.js';
import { countOverdue } from '../../src/store/erasure/due.js';
import { eraseRows } from '../../src/store/erasure/erase-rows.js';
import { previewErasure } from '../../src/store/erasure/preview.js';
import { readSubject } from '../../src/store/erasure/subjects.js';
import { checkFound, TooManyFoundError } from '../../src/store/erasure/too-many-found.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createHoldRecorder, createHoldStore } from '../../src/store/holds/store.js';
import type { BlobStore } from '../../src/store/photos/store.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { writeTogether } from '../../src/store/reservations/record.js';
import { createStoredRows } from '../../src/store/reservations/stored-rows.js';
import {
  answers,
  caseFiles,
  endedReservations,
  holds,
  inbox,
  openReservations,
  outbox,
  shifts,
} from '../../src/store/schema.js';
import { destroyed } from '../../src/store/sealing/data-keys.js';
import { UnknownKeyError } from '../../src/store/sealing/errors.js';
import { ringWrap } from '../../src/store/sealing/key-wrap.js';
import { createKeyedHashes } from '../../src/store/sealing/keyed-hashes.js';
import { createPersonHashes } from '../../src/store/sealing/person-hashes.js';
import { createSealer, type Sealer } from '../../src/store/sealing/sealer.js';
import { createEraser } from '../../src/temporal/client/erasure/eraser.js';
import { fullView, personal } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { grpcError } from '../support/grpc-error.js';
import { HoldWorld } from '../support/hold-world.js';
import { openRow, openRows, rowInput, storeOpen } from '../support/open-rows.js';
import { policy } from '../support/reservations.js';

const day = 86_400_000;
const year = 365 * day;
const now = Date.UTC(2030, 0, 1);
const never = () => false;

/** Temporal, whose own retention is long over. */
const forgotten: FakeTemporal = {
  options: { namespace: 'default' },
  withDeadline: (_: number, call: () => unknown) => call(),
  workflowService: {
    describeWorkflowExecution: ({ execution: { workflowId } }: Described) =>
      Promise.reject(new WorkflowNotFoundError('gone', workflowId, undefined)),
    listWorkflowExecutions: async () => ({ executions: [] }),
  },
} as unknown as FakeTemporal;
type Described = { execution: { workflowId: string } };
type FakeTemporal = Client & {
  workflowService: { describeWorkflowExecution(of: Described): Promise<object> };
};

/** The same with these workflows open, and with a run that an earlier release wrote of those. @returns also which runs are deleted */
function temporalWith({
  open,
  unprotected = [],
  payload = { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.from('sealed') },
  decode,
}: {
  open: string[];
  unprotected?: string[];
  payload?: object;
  decode?: () => Promise<never>;
}) {
  const runsDeleted: string[] = [];
  const { WORKFLOW_EXECUTION_STATUS_PAUSED: paused, WORKFLOW_EXECUTION_STATUS_COMPLETED: completed } =
    proto.temporal.api.enums.v1.WorkflowExecutionStatus;
  const getHandle = () => ({ fetchHistory: async () => ({ events: [{ payload }] }) });
  const workflowService = {
    ...forgotten.workflowService,
    async describeWorkflowExecution(of: Described) {
      const { workflowId } = of.execution;
      if (!open.includes(workflowId) && !unprotected.includes(workflowId))
        return forgotten.workflowService.describeWorkflowExecution(of);
      // one that an operator has paused is open too
      const status = open.includes(workflowId) ? paused : completed;
      return { workflowExecutionInfo: { status, execution: { workflowId, runId: `run of ${workflowId}` } } };
    },
    getWorkflowExecutionHistory: async () => ({ history: { events: [] } }),
    deleteWorkflowExecution: async (deleted: { workflowExecution: { runId: string } }) =>
      runsDeleted.push(deleted.workflowExecution.runId),
  };
  const options = { namespace: 'default', loadedDataConverter: { payloadCodecs: [{ decode }] } };
  const client = {
    ...forgotten,
    options,
    workflow: { getHandle },
    workflowService,
  } as unknown as Client;
  return { client, runsDeleted };
}

onOneDatabase('L60: personal data of closed reservations', (lane) => {
  const sealer = createSealer([publicTestKey]);
  const persons = createPersonHashes([publicTestKey]);
  const deleted: [number, readonly string[]][] = [];
  const stayed: number[] = [];
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    deleted.length = 0;
    stayed.length = 0;
    for (const table of [
      'answers',
      'case_files',
      'data_keys',
      'erasures',
      'audit',
      'shifts',
      'ended_reservations',
      'open_reservations',
      'unlisted_reservations',
      'bookings',
      'holds',
      'outbox',
      'alerts',
      'inbox',
    ])
      await database.db.execute(sql.raw(`delete from ${table}`));
  });

  const keysUnder = (ring = [publicTestKey]) =>
    createDataKeys(database.prompt, { wrap: ringWrap(ring), remainsOf: async () => undefined });
  const retention = ({
    undecided = [],
    ...changes
  }: {
    client?: Client;
    photosFail?: boolean;
    /** Called while photos are deleted. */
    meanwhile?: (id: number) => Promise<void>;
    /** An attempt before has deleted all photos. */
    photosGone?: boolean;
    /** Photos that stay, because another reservation may have them. */
    undecided?: string[];
    dataKeys?: ReturnType<typeof keysUnder>;
    /** Of all keys that the process has. */
    under?: Sealer;
  } = {}) => {
    const photos = {
      async deletePhotos(id: number, hashes: readonly string[]) {
        if (changes.photosFail) throw new Error('the photo store is away');
        await changes.meanwhile?.(id);
        deleted.push([id, hashes]);
        const left = hashes.filter((hash) => undecided.includes(hash));
        const reason = new Error('no answer');
        const gone = changes.photosGone ? 0 : hashes.length - left.length;
        return { deleted: gone, shared: [], left, reason };
      },
      useAgain: (id: number) => void stayed.push(id),
    };
    const { client = forgotten, dataKeys = keysUnder(), under = sealer } = changes;
    const eraser = createEraser({
      db: database.db,
      sealer: under,
      client,
      photos,
      persons,
      policy,
      dataKeys,
      now: () => now,
    });
    const durations = { reservationsMs: 3 * year, photosMs: year };
    return { eraser, dataKeys, ...durations, db: database.db, sealer: under, persons };
  };
  /** The retention of a worker. */
  const dutyOf = ({
    log = pino({ level: 'silent' }),
    photosMs = year,
    deletePhotos,
  }: {
    log?: Partial<Logger>;
    photosMs?: number;
    deletePhotos: BlobStore['deletePhotos'];
  }) => {
    const config = { erasure: { reservationsMs: 3 * year, photosMs }, codec: { keys: [publicTestKey] } };
    const alerts = createAlerts(database.db, { sealer, post: false });
    const duty = erasureDuty({ config, policy, log } as unknown as Setting, {
      temporal: { client: forgotten, dataKeys: keysUnder() },
      db: database.db,
      sealer,
      alerts,
      photos: { deletePhotos },
    });
    return { duty, alerts, erasure: config.erasure };
  };
  const cases = (under = sealer) => createCaseFiles(database.db, under, [publicTestKey]);
  /** Of a key that was taken out of CODEC_KEYS. */
  const lostKey = { id: 'lost', key: randomBytes(32) };
  const lost = createSealer([lostKey]);
  /** A booking that became reservation 1. */
  async function bookOne(commandId: string) {
    const { db } = database;
    const start = { commandId, by: 'kim', request };
    await storeBooking(db, sealer, { start, runId: 'r', at: now }, persons);
    const answer = { reservationId: 1, status: null, carNumber: null, pickupAt: now, returnAt: now };
    await resolveBooking(db, sealer, { commandId, at: now, end: { ...answer, outcome: 'applied' } });
  }

  async function close(
    id: number,
    closedAt: number,
    changes: Partial<ReservationView> = {},
    under: Sealer = sealer,
  ) {
    const view = { ...fullView(id), closed: true, ...changes };
    const facts = { status: 35, carId: 1, companyId: 11, period: null, attention: [] };
    await cases(under).close({ reservationId: id, closedAt, facts, view });
    await keysUnder().forWriting(reservationWorkflowId(id));
    await keysUnder().forWriting(photoKeyScope(id));
  }
  const isDestroyed = async (scope: string) => (await keysUnder().forReading(scope)) === destroyed;
  const request = {
    productId: 7,
    startAt: now,
    endAt: now + day,
    pickupAddress: 'Station exit 3',
    driver: { name: 'Hong', birth: '19900101', phone: '01012345678', licenseNumber: '1', address: 'B' },
  };
  /** A hold that is over. */
  async function recordHold(
    holdId: string,
    reservationId: number | null,
    endedAt = now - day,
    under: Sealer = sealer,
  ): Promise<void> {
    const world = new HoldWorld({ holdId, carId: 1000, reason: 'Hong hit the gate' });
    world.run(world.now + 3_600_000);
    const { state, now: at } = world;
    const alerts = { raise: async () => false, clear: async () => false };
    const entry = {
      by: 'kim',
      action: 'hold.create',
      subject: `hold/${holdId}`,
      reason: 'Hong',
      data: {},
    } as const;
    await createHoldRecorder(database.db, { sealer: under, alerts: alerts as never })({
      at,
      facts: { ...holdFacts(state, at), reservationId, open: false, endedAt },
      view: holdView(state, at),
      audit: [{ ...entry, seq: 1, at: now }],
    });
    await keysUnder().forWriting(`hold-${holdId}`);
  }
  const listedBy = async (person: string) => {
    const rows = await database.db
      .select({ id: openReservations.reservationId })
      .from(openReservations)
      .where(arrayOverlaps(openReservations.names, openRows.names(person)));
    return rows.map(({ id }) => id);
  };
  const holdReason = async (holdId: string) =>
    (await createHoldStore(database.db, sealer).read(holdId))?.view.reason;
  const certificates = async () =>
    rowsOf<{ by: string; cause: string; reservations: number[] }>(
      await database.db.execute(sql`select by, cause, reservations from erasures order by id`),
    );

  it('is erased three years after the closing, and photos after one year, not before', async () => {
    await close(1, now - 3 * year - day);
    await close(2, now - 3 * year + day);
    await close(3, now - year + day);
    await close(4, now - year - day);
    const done = await eraseDue(retention(), now, never);
    expect(done).toMatchObject({ reservations: 1, refused: [] });
    expect(await cases().view(1)).toMatchObject({ driver: null, closed: true, status: fullView(1).status });
    expect(await isDestroyed('reservation-1')).toBe(true);
    for (const id of [2, 3, 4]) {
      expect((await cases().view(id))?.driver).toEqual(fullView(id).driver);
      expect(await isDestroyed(reservationWorkflowId(id))).toBe(false);
    }
    expect(deleted.map(([id]) => id).sort()).toEqual([1, 2, 4]);
    expect((await cases().view(4))?.dispatch.carImage).toBeNull();
    expect((await cases().view(3))?.dispatch.carImage).toEqual(fullView(3).dispatch.carImage);
    expect(await isDestroyed(photoKeyScope(2))).toBe(true);
    expect(await isDestroyed(photoKeyScope(3))).toBe(false);
    expect(await certificates()).toMatchObject([
      { by: 'retention', cause: 'retention', reservations: [1] },
      { by: 'retention', cause: 'photos', reservations: [2, 4] },
    ]);
    deleted.length = 0;
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 0, photos: 0 });
    expect(deleted).toEqual([]);
  });

  it('while the photo store fails nothing of a reservation is erased, and the next round does it', async () => {
    await close(1, now - 4 * year);
    const done = await eraseDue(retention({ photosFail: true }), now, never);
    const error = expect.objectContaining({ message: 'the photo store is away' });
    // its data, and its photos alone
    const failed = { reservationId: 1, error };
    expect(done).toMatchObject({ reservations: 0, failed: [failed, failed] });
    expect(new Set(stayed)).toEqual(new Set([1]));
    expect((await cases().view(1))?.driver).toEqual(fullView(1).driver);
    expect(await certificates()).toEqual([]);
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 1 });
  });

  it('one whose erasure always fails withholds no other, and neither photos nor texts', async () => {
    for (const id of [1, 2, 3]) await close(id, now - (5 * year - id));
    await close(4, now - 2 * year);
    await recordHold('h-1', null, now - 4 * year);
    const entry = { by: 'lee', action: 'inbox.replay', subject: 'inbox/17', data: {} } as const;
    await writeAudit(database.db, sealer, { ...entry, at: now - 4 * year, reason: 'as Hong asked' });
    const meanwhile = async (id: number) => {
      if (id === 1) throw new Error('it always fails');
    };
    const failed = { reservationId: 1, error: expect.objectContaining({ message: 'it always fails' }) };
    const order = { reservations: 2, texts: 1, refused: [], failed: [failed, failed] };
    expect(await eraseDue(retention({ meanwhile }), now, never)).toMatchObject(order);
    expect(await isDestroyed('reservation-1')).toBe(false);
    for (const id of [2, 3]) expect(await isDestroyed(reservationWorkflowId(id))).toBe(true);
    expect(await holdReason('h-1')).not.toContain('Hong');
    expect((await cases().view(4))?.dispatch.carImage).toBeNull();
    expect(stayed).toContain(1);
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 1, failed: [] });
  });

  it('the log of the retention has ids and codes alone of an erasure that fails, and its round is not repeated before the next hour', async () => {
    const at = Date.now() - 4 * year;
    for (const id of [1, 2]) await close(id, at);
    const warnings: object[] = [];
    const failures: unknown[] = [];
    const log = {
      ...pino({ level: 'silent' }),
      warn: (details: object) => void warnings.push(details),
      error: (...logged: unknown[]) => void failures.push(logged),
    };
    const { duty } = dutyOf({
      log,
      async deletePhotos(id) {
        if (id === 1) throw new Error('Hong');
        return 0;
      },
    });
    const one = duty({ remainingMs: () => 60_000 });
    one.start();
    await eventually('its round is over', () => warnings.length > 0).finally(() => one.stop());
    expect(await isDestroyed('reservation-2')).toBe(true);
    expect(warnings).toMatchObject([{ failures: 2, failed: [{ reservationId: 1 }, { reservationId: 1 }] }]);
    expect(failures).toEqual([]);
    expect(JSON.stringify([warnings, failures])).not.toContain('Hong');
  });

  it('one whose workflow runs again is refused, and delays no other', async () => {
    const { client } = temporalWith({ open: ['reservation-1'] });
    await close(1, now - 5 * year);
    await close(2, now - 4 * year);
    expect(await eraseDue(retention({ client }), now, never)).toMatchObject({
      reservations: 1,
      refused: [{ reservationId: 1, code: 'RESERVATION_OPEN' }],
    });
    expect((await cases().view(1))?.driver).toEqual(fullView(1).driver);
  });

  it('a late repeat of the closing does not bring it back', async () => {
    await close(1, now - 4 * year);
    await eraseDue(retention(), now, never);
    await close(1, now);
    expect((await cases().view(1))?.driver).toBeNull();
  });

  it('a late repeat of the last write of a hold does not bring its text back', async () => {
    await recordHold('h-1', null);
    await retention().eraser.erase({ reservations: [], holds: ['h-1'], by: 'dpo', cause: 'retention' });
    await recordHold('h-1', null);
    expect(await holdReason('h-1')).not.toContain('Hong');
  });

  it('one that is started again while it is erased is refused, before its photos and before its key is destroyed', async () => {
    for (const id of [1, 2, 3]) await close(id, now - day);
    const open: string[] = [];
    const { client } = temporalWith({ open });
    const startOthers = async (id: number) => {
      if (id !== 1) return;
      // one whose photos are deleted later, and one of which the database has the row alone so far
      open.push('reservation-2');
      await storeOpen(database.db, { 3: { sequence: now } });
    };
    const { eraser } = retention({ client, meanwhile: startOthers });
    const order = { reservations: [1, 2, 3], by: 'dpo', cause: 'reservation' } as const;
    expect(await eraser.erase(order)).toMatchObject({
      certificate: { reservations: [1], counts: { reservations: 1 } },
      refused: [
        { reservationId: 2, code: 'RESERVATION_OPEN' },
        { reservationId: 3, code: 'RESERVATION_OPEN' },
      ],
    });
    expect(deleted.map(([id]) => id)).toEqual([1, 3]);
    expect(stayed).toEqual([3]);
    for (const id of [2, 3]) {
      expect((await cases().view(id))?.driver).toEqual(fullView(id).driver);
      expect(await isDestroyed(reservationWorkflowId(id))).toBe(false);
    }
    expect(await isDestroyed('reservation-1')).toBe(true);
    // while photos of the reservation itself are deleted
    await close(4, now - day);
    const startItself = async (id: number) => void open.push(`reservation-${id}`);
    const own = retention({ client, meanwhile: startItself });
    expect(await own.eraser.erase({ ...order, reservations: [4] })).toMatchObject({
      certificate: null,
      refused: [{ reservationId: 4, code: 'RESERVATION_OPEN' }],
    });
    expect(await isDestroyed('reservation-4')).toBe(false);
  });

  it('one that is started again and has written no row yet keeps its key; without an answer of Temporal nothing is erased', async () => {
    await close(1, now - day);
    await close(2, now - day);
    const open: string[] = [];
    const { client } = temporalWith({ open, unprotected: ['reservation-1'] });
    // the last call before the transaction
    const startIt = async () => void open.push('reservation-1');
    Object.assign(client.workflowService, { deleteWorkflowExecution: startIt });
    const order = { reservations: [1, 2], by: 'dpo', cause: 'reservation' } as const;
    expect(await retention({ client }).eraser.erase(order)).toMatchObject({
      certificate: { reservations: [2] },
      refused: [{ reservationId: 1, code: 'RESERVATION_OPEN' }],
    });
    expect(await isDestroyed('reservation-1')).toBe(false);
    expect((await cases().view(1))?.driver).toEqual(fullView(1).driver);
    expect(stayed).toEqual([1]);
    const silent = temporalWith({ open: [], unprotected: ['reservation-1'] }).client;
    const fallSilent = async () => {
      const describeWorkflowExecution = () => Promise.reject(grpcError(4));
      Object.assign(silent.workflowService, { describeWorkflowExecution });
    };
    Object.assign(silent.workflowService, { deleteWorkflowExecution: fallSilent });
    await expect(
      retention({ client: silent }).eraser.erase({ ...order, reservations: [1] }),
    ).rejects.toMatchObject({ name: 'EngineUnavailableError', code: 'DEADLINE_EXCEEDED' });
    expect(await isDestroyed('reservation-1')).toBe(false);
    expect(await certificates()).toHaveLength(1);
  });

  it('photos of a reservation that runs again stay, and without an answer of Temporal all do', async () => {
    await close(1, now - 2 * year);
    await close(2, now - 2 * year);
    const { client } = temporalWith({ open: ['reservation-1'] });
    const { eraser } = retention({ client });
    expect(await eraser.erasePhotos([1, 2], 'retention')).toMatchObject({
      certificate: { reservations: [2] },
      left: [{ reservationId: 1, code: 'RESERVATION_OPEN' }],
    });
    expect(deleted.map(([id]) => id)).toEqual([2]);
    expect(await isDestroyed(photoKeyScope(1))).toBe(false);
    expect((await cases().view(1))?.dispatch.carImage).toEqual(fullView(1).dispatch.carImage);
    const describeWorkflowExecution = () => Promise.reject(grpcError(14));
    Object.assign(client.workflowService, { describeWorkflowExecution });
    await expect(eraser.erasePhotos([1], 'retention')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(deleted.map(([id]) => id)).toEqual([2]);
  });

  it('what an attempt before has deleted of the photos is counted by the erasure that completes', async () => {
    await close(1, now - day);
    await close(2, now - 2 * year);
    const hashes = new Set((await readSubject(database.db, sealer, 1)).photoHashes);
    const { eraser } = retention({ photosGone: true });
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    expect((await eraser.erase(order)).certificate).toMatchObject({ counts: { photos: hashes.size } });
    const { certificate } = await eraser.erasePhotos([1, 2], 'retention');
    expect(certificate).toMatchObject({
      reservations: [2],
      cause: 'photos',
      counts: { photos: hashes.size },
    });
  });

  it('a booking that a certificate names is erased again by its id, where a backup brought it back; one of a reservation, or erased before, is refused', async () => {
    await close(1, now - day);
    await bookOne('of-1');
    const start = { commandId: 'refused', by: 'kim', request };
    await storeBooking(database.db, sealer, { start, runId: 'r', at: now }, persons);
    const end = { outcome: 'rejected', code: 'E', message: 'Hong', settledBy: 'answer' } as const;
    await resolveBooking(database.db, sealer, { commandId: 'refused', at: now, end });
    const order = {
      reservations: [],
      bookings: ['of-1', 'refused'],
      by: 'dpo',
      cause: 'reservation',
    } as const;
    const { eraser } = retention();
    const ofReservation = { commandId: 'of-1', code: 'BOOKING_NOT_FOUND' };
    expect(await eraser.preview({ bookings: order.bookings })).toMatchObject({
      wouldErase: { reservations: [], bookings: ['refused'] },
      refused: [ofReservation],
    });
    expect(await eraser.erase(order)).toMatchObject({
      certificate: { reservations: [], bookings: ['refused'], counts: { bookings: 1 } },
      refused: [ofReservation],
    });
    expect(await eraser.erase(order)).toMatchObject({
      certificate: null,
      refused: [ofReservation, { commandId: 'refused', code: 'BOOKING_NOT_FOUND' }],
    });
  });

  it('a certificate names the bookings and holds that were erased by themselves', async () => {
    await close(1, now - day);
    await bookOne('of-1');
    await recordHold('h-1', null);
    const { certificate } = await retention().eraser.erase({
      reservations: [1],
      holds: ['h-1'],
      by: 'dpo',
      cause: 'reservation',
    });
    expect(certificate).toMatchObject({
      reservations: [1],
      bookings: [],
      holds: ['h-1'],
      counts: { bookings: 1, holds: 1 },
    });
  });

  it('a booking and a hold that are erased by themselves are in the audit, those of a reservation with it', async () => {
    await close(1, now - day);
    await bookOne('of-1');
    await recordHold('h-1', null);
    await recordBooking('refused', now, 'rejected');
    const order = { reservations: [1], bookings: ['refused'], holds: ['h-1'], by: 'dpo' } as const;
    await retention().eraser.erase({ ...order, cause: 'reservation' });
    const entries = await database.db.execute(
      sql`select by, action, subject, data ->> 'keys' as keys from audit where action like '%.erase' order by subject`,
    );
    expect(rowsOf(entries)).toEqual([
      { by: 'dpo', action: 'booking.erase', subject: 'booking/refused', keys: '0' },
      { by: 'dpo', action: 'hold.erase', subject: 'hold/h-1', keys: '1' },
      { by: 'dpo', action: 'reservation.erase', subject: 'reservation/1', keys: '2' },
    ]);
  });

  it('a second order erases what has come since the first: callbacks with a verdict, dead letters, posts and reasons', async () => {
    await close(1, now - day);
    const { db } = database;
    const arrival = (eventId: string, state: 'received' | 'done' | 'dead') => ({
      identity: 'content' as const,
      eventId,
      channel: 'status' as const,
      path: '/',
      reservationId: 1,
      receivedAt: now,
      headers: {},
      raw: Buffer.from('sealed'),
      contentHash: `keyed hash ${eventId}`,
      state,
      ...(state === 'done' && { verdict: 'after-terminal' as const }),
    });
    await db.insert(inbox).values(arrival('on its way', 'received'));
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    const { eraser } = retention();
    const rest = () => db.select().from(inbox).where(ne(inbox.contentHash, ''));
    expect((await eraser.erase(order)).certificate).toMatchObject({ counts: { bodies: 0 } });
    const erased = { certificate: null, refused: [{ reservationId: 1, code: 'RESERVATION_ERASED' }] };
    expect(await eraser.erase(order)).toMatchObject(erased);
    await db.update(inbox).set({ state: 'done', verdict: 'after-terminal' });
    await db.insert(inbox).values([arrival('later', 'done'), arrival('dead', 'dead')]);
    const [{ id } = { id: 0 }] = await rest();
    const entry = { by: 'lee', action: 'inbox.replay', at: now, reason: 'Hong', data: {} } as const;
    await writeAudit(db, sealer, { ...entry, subject: `inbox/${id}` });
    await writeAudit(db, sealer, { ...entry, subject: 'reservation/11' });
    expect(await eraser.preview(order)).toMatchObject({ wouldErase: { reservations: [1] }, refused: [] });
    const both = await Promise.all([eraser.erase(order), eraser.erase(order)]);
    const [certificate, ...others] = both.flatMap((one) => one.certificate ?? []);
    expect(others).toEqual([]);
    expect(certificate).toMatchObject({
      reservations: [1],
      counts: { reservations: 0, keys: 0, bodies: 3, reasons: 1 },
    });
    expect(await rest()).toEqual([]);
    const reasons = await db.execute(sql`select subject from audit where reason is not null`);
    expect(rowsOf(reasons)).toEqual([{ subject: 'reservation/11' }]);
    expect(await eraser.erase(order)).toMatchObject(erased);
    // one that runs again is open
    await db.insert(inbox).values(arrival('later still', 'done'));
    const { client } = temporalWith({ open: ['reservation-1'] });
    expect(await retention({ client }).eraser.erase(order)).toMatchObject({
      certificate: null,
      refused: [{ reservationId: 1, code: 'RESERVATION_OPEN' }],
    });
  });

  it('marks of requests of an erased reservation confirm no guess of their reasons, and their keys act no more', async () => {
    await close(1, now - day);
    const { db } = database;
    const requests = createAnswers(db, createKeyedHashes([publicTestKey], 'requests'));
    const adopted = (id: number) => ({
      commandId: `a-${id}`,
      action: 'finding.adopt',
      content: { reason: 'Hong' },
    });
    const replayed = (id: number) => ({
      commandId: `r-${id}`,
      action: 'inbox.replay',
      content: { reason: 'Hong' },
    });
    for (const id of [1, 11]) {
      const events = [{ id, reservationId: id, replay: 1 }];
      await requests.once(
        db,
        adopted(id),
        async () => ({ reservationId: id }),
        () => true,
      );
      await requests.once(
        db,
        replayed(id),
        async () => ({ events }),
        () => true,
      );
    }
    await retention().eraser.erase({ reservations: [1], by: 'dpo', cause: 'reservation' });
    for (const one of [adopted, replayed]) {
      expect(await requests.read(one(1))).toBe('reused');
      expect(await requests.read(one(11))).toMatchObject({});
      expect(
        await requests.once(
          db,
          one(1),
          () => expect.fail('it acts'),
          () => true,
        ),
      ).toBe('reused');
    }
    const marks = await db.select({ request: answers.request, id: answers.commandId }).from(answers);
    const emptied = marks.filter(({ request }) => request === 'erased').map(({ id }) => id);
    expect(emptied.sort()).toEqual(['a-1', 'r-1']);
  });

  it('reasons and notes that belong to no reservation are deleted after the same time', async () => {
    const entry = { by: 'lee', action: 'inbox.replay', subject: 'inbox/17', data: {} } as const;
    const [old, young] = [now - 4 * year, now - year];
    for (const at of [old, young]) {
      await writeAudit(database.db, sealer, { ...entry, at, reason: 'as Hong asked' });
      const note = Buffer.from('sealed');
      await database.db.insert(shifts).values({ at, by: 'lee', since: at, note, commandId: `shift-${at}` });
    }
    expect(await eraseDue(retention(), now, never)).toMatchObject({ texts: 2 });
    const left = await database.db.execute(
      sql`select 'audit' as t from audit where reason is not null union all select 'shifts' from shifts where note is not null`,
    );
    expect(rowsOf(left)).toHaveLength(2);
  });

  it('a person is found by any spelling of name, phone and licence, and no one by a part of them', async () => {
    const driver = {
      name: '홍 길동',
      birth: null,
      phone: '+82 10-5551-2001',
      licenseNumber: '11-85-004170-01',
      address: null,
    };
    await close(1, now - day, { driver, companion: null });
    await close(2, now - day, {
      driver: { ...driver, name: null, phone: null, licenseNumber: null },
      companion: { name: 'Lee' },
    });
    const { eraser } = retention();
    for (const part of ['홍', '5551-2001', '11-85', '-']) {
      expect(await eraser.eraseDriver(part, 'dpo'), part).toEqual({ certificate: null, refused: [] });
    }
    const found = await eraser.eraseDriver('lee', 'dpo');
    expect(found.certificate).toMatchObject({ cause: 'driver', reservations: [2] });
    for (const [index, text] of ['홍길동', '01055512001', '118500417001'].entries()) {
      await database.db.delete(caseFiles);
      await close(10 + index, now - day, { driver, companion: null });
      const { certificate } = await eraser.eraseDriver(text, 'dpo');
      expect(certificate, text).toMatchObject({ reservations: [10 + index] });
    }
  });

  it('a name finds no one whose phone or licence stands for nothing', async () => {
    const nothing = { birth: null, address: null };
    for (const [index, blank] of ['없음', 'N/A', '-', '  ', '010'].entries()) {
      const driver = { ...nothing, name: `Driver ${'ABCDE'[index]}`, phone: blank, licenseNumber: blank };
      await close(20 + index, now - day, { driver, companion: null });
    }
    const { eraser } = retention();
    for (const other of ['김철수', '없음', 'N/A', '-', 'Apartment 010'])
      expect(await eraser.eraseDriver(other, 'dpo'), other).toMatchObject({ certificate: null });
    const { certificate } = await eraser.eraseDriver('driver a', 'dpo');
    expect(certificate).toMatchObject({ reservations: [20] });
  });

  it('one whose workflow was ended before it closed is erased, and closed for good', async () => {
    await database.db
      .insert(endedReservations)
      .values({ reservationId: 1, code: 'WORKFLOW_TERMINATED', notedAt: now });
    await keysUnder().forWriting('reservation-1');
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    expect((await retention().eraser.erase(order)).certificate).toMatchObject({ reservations: [1] });
    expect(await isDestroyed('reservation-1')).toBe(true);
    expect(await cases().has(1)).toBe(true);
  });

  it('what belongs to a reservation goes with it: its booking, its hold, its posts and the reasons of its findings', async () => {
    await close(1, now - day);
    await close(2, now - day);
    await bookOne('b-1');
    const { db } = database;
    await keysUnder().forWriting('booking-b-1');
    await recordHold('h-1', 1);
    await recordHold('h-2', 2);
    for (const id of [1, 2]) {
      await db.insert(outbox).values({
        destination: 'forward',
        key: `reservation-${id}`,
        messageId: `m-${id}`,
        path: '/events/reservation',
        body: Buffer.from('sealed'),
        createdAt: now,
      });
      const finding = {
        by: 'lee',
        action: 'finding.adopt',
        subject: `finding/${id}`,
        reason: 'as Hong asked',
      } as const;
      await writeAudit(db, sealer, { ...finding, at: now, data: { reservationId: id } });
    }
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    const { certificate } = await retention().eraser.erase(order);
    expect(certificate?.counts).toMatchObject({
      bookings: 1,
      holds: 1,
      posts: 1,
      reasons: 2,
      reservations: 1,
    });
    expect(await holdReason('h-1')).toMatch(/^\[erased \d+\]/);
    expect(await holdReason('h-2')).toContain('Hong');
    expect(await isDestroyed('hold-h-1')).toBe(true);
    expect(await isDestroyed('booking-b-1')).toBe(true);
    const left = await db.execute(
      sql`select key from outbox union all select subject from audit where reason is not null order by 1`,
    );
    expect(rowsOf(left)).toEqual([{ key: 'finding/2' }, { key: 'hold/h-2' }, { key: 'reservation-2' }]);
    const known = await createBookingReads(db, sealer).find('b-1');
    expect(known).toMatchObject({ mark: 'erased', state: 'applied' });
  });

  it('bookings that were refused, and holds of no reservation, are erased by the time of their end', async () => {
    const { db } = database;
    for (const [commandId, at] of [
      ['old', now - 4 * year],
      ['young', now - year],
    ] as const) {
      await storeBooking(db, sealer, { start: { commandId, by: 'kim', request }, runId: 'r', at }, persons);
      const end = { outcome: 'rejected', code: 'REFUSED', message: 'Hong is unknown' } as const;
      await resolveBooking(db, sealer, { commandId, at, end });
      await recordHold(commandId, null, at);
    }
    await eraseDue(retention(), now, never);
    const reads = createBookingReads(db, sealer);
    expect((await reads.find('old'))?.mark).toBe('erased');
    expect((await reads.find('young'))?.mark).not.toBe('erased');
    expect(await holdReason('old')).toMatch(/^\[erased/);
    expect(await holdReason('young')).toContain('Hong');
    // the young one is found by its driver
    const { certificate } = await retention().eraser.eraseDriver(request.driver.phone, 'dpo');
    expect(certificate).toMatchObject({ reservations: [], counts: { bookings: 1 } });
    expect((await reads.find('young'))?.mark).toBe('erased');
  });

  it('an open reservation is found by name, phone and licence, and refused', async () => {
    const contacts = [{ phone: '01055512001', licenseNumber: '11-85-004170-01' }];
    const none = { carNumber: null, dispatchStaff: null, recallStaff: null };
    await storeOpen(database.db, { 8: { private: { ...none, drivers: ['Hong'], contacts } } });
    for (const text of ['hong', '010-5551-2001', '118500417001']) {
      const { refused } = await retention().eraser.eraseDriver(text, 'dpo');
      expect(refused, text).toMatchObject([{ reservationId: 8, code: 'RESERVATION_OPEN' }]);
    }
  });

  /** A booking, and what became of it; `unknown`: it is not resolved. */
  async function recordBooking(commandId: string, at: number, outcome: 'rejected' | 'unknown') {
    const { db } = database;
    const start = { commandId, by: 'kim', request: { ...request, startAt: at, endAt: at } };
    await storeBooking(db, sealer, { start, runId: 'r', at }, persons);
    if (outcome === 'rejected') {
      const end = { outcome, code: 'REFUSED', message: 'Hong is unknown' } as const;
      await resolveBooking(db, sealer, { commandId, at, end });
    } else await noteBooking(db, commandId, { state: outcome, code: 'TIMEOUT', candidates: [] });
  }

  it('a booking without an outcome is refused with what to do, and delays no other', async () => {
    const at = now - 4 * year;
    await recordBooking('lost', at, 'unknown');
    await recordBooking('refused', at, 'rejected');
    const reads = createBookingReads(database.db, sealer);
    const eraser = retention().eraser;
    const lost = { commandId: 'lost', code: 'BOOKING_OPEN', detail: expect.stringContaining('resolve it') };
    const both = { reservations: [], bookings: ['lost', 'refused'], by: 'dpo', cause: 'driver' } as const;
    const { certificate, refused } = await eraser.erase(both);
    expect(refused).toEqual([lost]);
    expect(certificate).toMatchObject({ counts: { bookings: 1 } });
    expect((await reads.find('refused'))?.mark).toBe('erased');
    // its data is there as long as it is not resolved: it is found again, and reported by the retention
    expect((await reads.read('lost'))?.request).toMatchObject({ driver: { name: 'Hong' } });
    expect(await eraser.eraseDriver('Hong', 'dpo')).toEqual({ certificate: null, refused: [lost] });
    expect(await eraseDue(retention(), now, never)).toMatchObject({ refused: [lost] });
    const end = { outcome: 'rejected', code: 'REFUSED', message: '' } as const;
    await resolveBooking(database.db, sealer, { commandId: 'lost', at, end });
    expect(await eraseDue(retention(), now, never)).toMatchObject({ refused: [] });
    expect((await reads.find('lost'))?.mark).toBe('erased');
  });

  it('a dry run lists what a name finds, and erases nothing', async () => {
    const named = { ...request.driver, name: 'Kim' };
    await close(1, now - day, { driver: named, companion: null });
    await close(2, now - day, { driver: { ...named, phone: '01099999999' }, companion: null });
    await recordBooking('lost', now, 'unknown');
    const { eraser } = retention();
    expect(await eraser.preview({ driver: 'kim' })).toEqual({
      wouldErase: { reservations: [1, 2], bookings: [], holds: [] },
      refused: [],
    });
    expect(await eraser.preview({ driver: 'Hong' })).toMatchObject({
      wouldErase: { reservations: [], bookings: [], holds: [] },
      refused: [{ commandId: 'lost', code: 'BOOKING_OPEN' }],
    });
    expect(await eraser.preview({ reservations: [2, 3] })).toMatchObject({
      wouldErase: { reservations: [2] },
      refused: [{ reservationId: 3, code: 'RESERVATION_NOT_FOUND' }],
    });
    expect((await cases().view(1))?.driver).toEqual(named);
    expect(await certificates()).toEqual([]);
  });

  it('a search that finds more than one erasure erases is refused, and a dry run shows all of it', async () => {
    await close(1, now - day, { driver: { ...request.driver, name: 'Kim' }, companion: null });
    const [file] = await database.db.select().from(caseFiles);
    const others = Array.from({ length: 200 }, (_, nth) => ({ ...file, reservationId: nth + 2 }));
    await database.db.insert(caseFiles).values(others as (typeof caseFiles.$inferInsert)[]);
    const { eraser } = retention();
    const refused = eraser.eraseDriver('Kim', 'dpo');
    await expect(refused).rejects.toBeInstanceOf(TooManyFoundError);
    await expect(refused).rejects.toThrow(
      /^TOO_MANY_FOUND: the search found 201 .* by the phone or the licence/,
    );
    expect(deleted).toEqual([]);
    expect(await certificates()).toEqual([]);
    expect((await eraser.preview({ driver: 'Kim' })).wouldErase.reservations).toHaveLength(201);
    const most = { reservations: others.map(({ reservationId }) => reservationId), bookings: [] };
    expect(checkFound(most)).toBe(most);
    expect(() => checkFound({ ...most, bookings: ['b-1'] })).toThrow(TooManyFoundError);
  });

  it('one open workflow withholds no other booking and no hold', async () => {
    const at = now - 4 * year;
    for (const id of ['a', 'b', 'c']) await recordBooking(id, at, 'rejected');
    for (const id of ['d', 'e', 'f']) await recordHold(id, null, at);
    const { client } = temporalWith({ open: ['booking-b', 'hold-e'] });
    expect(await eraseDue(retention({ client }), now, never)).toMatchObject({
      refused: [{ commandId: 'b' }, { holdId: 'e' }],
    });
    const reads = createBookingReads(database.db, sealer);
    const marks = await Promise.all(['a', 'b', 'c'].map((id) => reads.find(id)));
    expect(marks.map((one) => one?.mark === 'erased')).toEqual([true, false, true]);
    const reasons = await Promise.all(['d', 'e', 'f'].map(holdReason));
    expect(reasons.map((one) => one?.startsWith('[erased'))).toEqual([true, false, true]);
  });

  it('what is refused keeps its histories', async () => {
    await close(1, now - day);
    await close(2, now - day);
    await bookOne('b-1');
    const unprotected = ['reservation-1', 'reservation-2'];
    const { client, runsDeleted } = temporalWith({ open: ['booking-b-1'], unprotected });
    const order = { reservations: [1, 2], by: 'dpo', cause: 'reservation' } as const;
    const { certificate, refused } = await retention({ client }).eraser.erase(order);
    expect(refused).toMatchObject([{ reservationId: 1, code: 'RESERVATION_OPEN' }]);
    expect(certificate).toMatchObject({ reservations: [2] });
    expect(runsDeleted).toEqual(['run of reservation-2']);
  });

  it('what no key opens any more is erased all the same, and delays nothing else', async () => {
    await close(1, now - 4 * year, {}, lost);
    await close(2, now - 4 * year);
    await close(3, now - 2 * year, {}, lost);
    await close(4, now - 2 * year);
    await recordHold('h-1', null, now - 4 * year, lost);
    await recordHold('h-2', null, now - 4 * year);
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 2, unreadable: 2 });
    for (const id of [1, 2]) {
      expect(await isDestroyed(reservationWorkflowId(id))).toBe(true);
      expect(await cases().view(id)).toMatchObject({ driver: null, closed: true, marks: ['erased'] });
    }
    expect(await holdReason('h-1')).toMatch(/^\[erased/);
    expect(await holdReason('h-2')).toMatch(/^\[erased/);
    for (const id of [3, 4]) expect(await isDestroyed(photoKeyScope(id))).toBe(true);
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 0, refused: [] });
  });

  it('photos that only a case file that no key opens can name stay due, and are deleted once its key is back', async () => {
    await close(3, now - 2 * year, {}, lost);
    const left = [{ reservationId: 3, code: 'CASE_FILE_UNREADABLE' }];
    for (let round = 1; round <= 2; round++)
      expect(await eraseDue(retention(), now, never)).toMatchObject({ photosLeft: left, failed: [] });
    const readMark = async () => (await database.db.select().from(caseFiles))[0]?.photosErasedAt;
    expect(await readMark()).toBeNull();
    // what is under a key of its own cannot be read any more
    expect(await isDestroyed(photoKeyScope(3))).toBe(true);
    deleted.length = 0;
    const under = createSealer([publicTestKey, lostKey]);
    expect(await eraseDue(retention({ under }), now, never)).toMatchObject({ photosLeft: [] });
    const hash = fullView(3).dispatch.carImage?.hash;
    expect(deleted).toEqual([[3, expect.arrayContaining([hash])]]);
    expect(await readMark()).toBe(now);
  });

  it('a person is found although another case file cannot be read, and that one once its key is back', async () => {
    const named = (name: string) => ({ driver: { ...request.driver, name }, companion: null });
    await close(1, now - day, named('Kim'), lost);
    await close(2, now - day, named('Lee'));
    // as an earlier release stored them
    await database.db.update(caseFiles).set({ persons: null });
    const { eraser } = retention();
    expect(await eraser.preview({ driver: 'Kim' })).toMatchObject({ wouldErase: { reservations: [] } });
    expect((await eraser.eraseDriver('Lee', 'dpo')).certificate).toMatchObject({ reservations: [2] });
    const deps = { db: database.db, persons, sealer: createSealer([publicTestKey, lostKey]) };
    expect(await previewErasure(deps, { driver: 'Kim' })).toMatchObject({
      wouldErase: { reservations: [1] },
    });
  });

  it('a history that no key opens withholds no erasure', async () => {
    await close(1, now - day);
    const payload = {
      metadata: {
        encoding: Buffer.from('binary/encrypted'),
        'encryption-key-id': Buffer.from('data:reservation-1#0000'),
      },
      data: randomBytes(40),
    };
    const decode = async () => {
      throw new UnknownKeyError('lost');
    };
    const { client } = temporalWith({ open: [], unprotected: ['reservation-1'], payload, decode });
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    const { certificate } = await retention({ client }).eraser.erase(order);
    expect(certificate).toMatchObject({ reservations: [1], counts: { payloads: 0 } });
  });

  it('a data key that no key unwraps does not withhold the others from a rotation, and is not counted as erased', async () => {
    const second = { id: 'second', key: randomBytes(32) };
    await keysUnder([lostKey]).forWriting('booking-a');
    await close(1, now - day);
    const ring = [second, publicTestKey];
    expect(await eraseDue(retention({ dataKeys: keysUnder(ring) }), now, never)).toMatchObject({
      unreadable: 0,
      lockedKeys: 1,
    });
    await expect(keysUnder([second]).forReading('reservation-1')).resolves.not.toBe(destroyed);
    await expect(keysUnder([lostKey]).forReading('booking-a')).resolves.not.toBe(destroyed);
  });

  it('what is due for a day and cannot be erased is an alert of its own, until it is erased', async () => {
    const at = Date.now() - 3 * year - 2 * day;
    await recordBooking('lost', at, 'unknown');
    await close(1, at + 2 * day + day / 2);
    const { duty, alerts, erasure } = dutyOf({ photosMs: 3 * year, deletePhotos: async () => 0 });
    const openAlerts = async () => (await alerts.list({ state: 'open', limit: 5 })).items;
    const round = async (remainingMs: number, until: () => Promise<boolean>) => {
      const one = duty({ remainingMs: () => remainingMs });
      one.start();
      await eventually('its round is over', until).finally(() => one.stop());
    };
    // a standby does nothing
    await round(0, async () => (await openAlerts()).length === 0);
    expect(await openAlerts()).toEqual([]);
    await round(60_000, async () => (await openAlerts()).length > 0);
    expect(await openAlerts()).toMatchObject([
      { kind: 'personal-data-overdue', message: { code: 'alert.personal-data-overdue', data: { count: 1 } } },
    ]);
    const end = { outcome: 'rejected', code: 'REFUSED', message: '' } as const;
    await resolveBooking(database.db, sealer, { commandId: 'lost', at, end });
    await round(60_000, async () => (await openAlerts()).length === 0);
    expect(await countOverdue(database.db, erasure, Date.now())).toBe(0);
  });

  it('a photo that another reservation may have stays, is found by a later round, and delays nothing else', async () => {
    const hash = fullView(1).dispatch.carImage?.hash ?? '';
    await close(1, now - 4 * year);
    await close(2, now - 2 * year);
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    await expect(retention({ undecided: [hash] }).eraser.erase(order)).rejects.toThrow('no answer');
    const done = await eraseDue(retention({ undecided: [hash] }), now, never);
    const code = 'PHOTO_MAY_BE_SHARED';
    const photosLeft = [1, 2].map((reservationId) => ({ reservationId, code }));
    expect(done).toMatchObject({ reservations: 1, photosLeft });
    expect(stayed, 'what stays is in use again').toEqual(expect.arrayContaining([1, 2]));
    expect(JSON.stringify(await cases().view(1))).not.toContain(personal);
    expect(JSON.stringify(await cases().view(1))).not.toContain(hash);
    expect((await cases().view(2))?.dispatch.carImage?.hash).toBe(hash);
    deleted.length = 0;
    expect(await eraseDue(retention(), now, never)).toMatchObject({ photosLeft: [] });
    expect(deleted).toContainEqual([1, expect.arrayContaining([hash])]);
    expect((await cases().view(2))?.dispatch.carImage).toBeNull();
    deleted.length = 0;
    await eraseDue(retention(), now, never);
    expect(deleted).toEqual([]);
  });

  it('a retention that has to stop begins no further reservation', async () => {
    for (const id of [1, 2, 3]) await close(id, now - 4 * year);
    const one = retention();
    await eraseDue(one, now, () => deleted.length > 0);
    expect(deleted).toHaveLength(1);
    expect(await certificates()).toMatchObject([{ reservations: [deleted[0]?.[0]] }]);
    deleted.length = 0;
    await one.eraser.erasePhotos([2, 3], 'retention', () => deleted.length > 0);
    expect(deleted.map(([id]) => id)).toEqual([2]);
    const due = await database.db
      .select({ id: caseFiles.reservationId })
      .from(caseFiles)
      .where(isNull(caseFiles.photosErasedAt));
    expect(due).toEqual([{ id: 3 }]);
  });

  it('a relay that stops does not wait for a step of the retention', async () => {
    await close(1, Date.now() - 4 * year);
    const failures: unknown[] = [];
    const log = { ...pino({ level: 'silent' }), error: (details: unknown) => void failures.push(details) };
    let fail: ((error: Error) => void) | undefined;
    const { duty } = dutyOf({ log, deletePhotos: () => new Promise((_, reject) => (fail = reject)) });
    const one = duty({ remainingMs: () => 60_000 });
    one.start();
    await eventually('the photo store does not answer', () => fail !== undefined);
    await one.stop();
    fail?.(new Error('closed'));
    await new Promise(setImmediate);
    expect(failures).toEqual([]);
    expect(await certificates()).toEqual([]);
  });

  it('staff of a reservation are not taken for its driver', async () => {
    const personal = { carNumber: null, dispatchStaff: 'Park', recallStaff: 'Choi', drivers: ['Hong'] };
    await storeOpen(database.db, { 8: { private: personal } });
    const { eraser } = retention();
    for (const staff of ['Park', 'Choi'])
      expect((await eraser.eraseDriver(staff, 'dpo')).refused, staff).toEqual([]);
    expect((await eraser.eraseDriver('Hong', 'dpo')).refused).toMatchObject([{ reservationId: 8 }]);
    // lists are still searched by them
    expect(await listedBy('Park')).toEqual([8]);
  });

  it('one whose workflow is not there any more is found by its driver, and erased in time', async () => {
    const { db } = database;
    const personal = { carNumber: null, dispatchStaff: null, recallStaff: null };
    for (const [id, name] of Object.entries({ 1: 'Kim', 2: 'Lee', 3: 'Choi' }))
      await storeOpen(db, { [id]: { private: { ...personal, drivers: [name] } } });
    const rows = createStoredRows(db, openRows);
    for (const id of [1, 2, 3]) await rows.remove(id, 1);
    await db
      .insert(endedReservations)
      .values({ reservationId: 2, code: 'WORKFLOW_TERMINATED', notedAt: now });
    const found = await retention().eraser.eraseDriver('Kim', 'dpo');
    expect(found.certificate).toMatchObject({ reservations: [1] });
    expect((await retention().eraser.eraseDriver('Kim', 'dpo')).certificate).toBeNull();
    const future = now + 4 * year;
    expect(await eraseDue(retention(), future, never)).toMatchObject({ reservations: 2 });
    for (const id of [2, 3]) expect(await cases().has(id)).toBe(true);
    expect((await retention().eraser.eraseDriver('Lee', 'dpo')).certificate).toBeNull();
  });

  it('a reservation whose workflow was ended is due by the time that was noted', async () => {
    const noted = { code: 'WORKFLOW_TERMINATED', notedAt: now - 3 * year - day };
    await database.db.insert(endedReservations).values([
      { reservationId: 1, ...noted },
      { reservationId: 2, ...noted, notedAt: now - 3 * year + day },
    ]);
    expect(await eraseDue(retention(), now, never)).toMatchObject({ reservations: 1 });
    expect([await cases().has(1), await cases().has(2)]).toEqual([true, false]);
  });

  it('a booking that was applied to an erased reservation is found, and erased', async () => {
    const { db } = database;
    await close(1, now - day);
    await retention().eraser.erase({ reservations: [1], by: 'dpo', cause: 'reservation' });
    const start = { commandId: 'late', by: 'kim', request };
    await storeBooking(db, sealer, { start, runId: 'r', at: now }, persons);
    const end = {
      outcome: 'applied',
      reservationId: 1,
      status: null,
      carNumber: null,
      pickupAt: now,
      returnAt: now,
    };
    await resolveBooking(db, sealer, { commandId: 'late', at: now, end: end as never });
    const { certificate } = await retention().eraser.eraseDriver('Hong', 'dpo');
    expect(certificate).toMatchObject({ reservations: [], counts: { bookings: 1 } });
  });

  it('a driver who was replaced and a companion who was removed are found after the closing, also where the row moved', async () => {
    const { db } = database;
    const shown = openRow().private;
    const drivenBy = (sequence: number, drivers: string[], contacts: typeof shown.contacts = []) => ({
      sequence,
      private: { ...shown, drivers, contacts },
    });
    const rows = createStoredRows(db, openRows);
    const old = { phone: '01077776666', licenseNumber: '11-22-333333-44' };
    for (const id of [1, 2, 3])
      await storeOpen(db, { [id]: drivenBy(1, ['Old Driver', 'Companion'], [old]) });
    // two steps in one statement, of which the second is the later
    const steps = [drivenBy(2, ['Short Driver']), drivenBy(3, ['New Driver'])];
    await writeTogether(
      db,
      steps.map((step) => rowInput(1, openRow(step))),
      { openRows },
    );
    // one of whom a callback reported that was replaced before its step was written
    const named = { name: 'Named Driver', phone: null, licenseNumber: null };
    await writeTogether(db, [{ ...rowInput(1, openRow(drivenBy(4, ['New Driver']))), persons: [named] }], {
      openRows,
    });
    // what brings lists in line with the workflows replaces the row as well, and may remove it
    await rows.write(2, openRow(drivenBy(2, ['New Driver'])), 1);
    await rows.remove(3, 1);
    await storeOpen(db, { 3: drivenBy(2, ['New Driver']) });
    await rows.remove(3, 2);
    const driver = { ...request.driver, name: 'Last Driver' };
    for (const id of [1, 2]) await close(id, now - day, { driver, companion: null });
    // a repeat of the closing finds no row any more
    await close(1, now - day, { driver, companion: null });
    const { eraser } = retention();
    const foundBy = async (person: string) =>
      (await eraser.preview({ driver: person })).wouldErase.reservations;
    for (const person of ['Old Driver', 'Companion', old.phone, old.licenseNumber, 'New Driver'])
      expect(await foundBy(person), person).toEqual([1, 2, 3]);
    for (const person of ['Short Driver', named.name]) expect(await foundBy(person)).toEqual([1]);
    expect(await foundBy('Last Driver')).toEqual([1, 2]);
    // lists show who drives now
    expect(await listedBy('Old Driver')).toEqual([]);
    const { certificate } = await eraser.eraseDriver('Companion', 'dpo');
    expect(certificate).toMatchObject({ reservations: [1, 2, 3] });
    expect(await foundBy('Old Driver')).toEqual([]);
  });

  it('a booking that an earlier release stored is found by its driver', async () => {
    const start = { commandId: 'old', by: 'kim', request };
    await storeBooking(database.db, sealer, { start, runId: 'r', at: now });
    const { refused } = await retention().eraser.eraseDriver('Hong', 'dpo');
    expect(refused).toMatchObject([{ commandId: 'old', code: 'BOOKING_OPEN' }]);
  });

  it('dead letters of an erased reservation wait for no operator any more', async () => {
    await close(1, now - day);
    await close(2, now - day);
    const { db } = database;
    for (const reservationId of [1, 2])
      await db.insert(inbox).values({
        identity: 'content',
        eventId: `e-${reservationId}`,
        channel: 'status',
        path: '/',
        reservationId,
        receivedAt: now,
        headers: {},
        raw: Buffer.from('sealed'),
        contentHash: 'h',
        state: 'dead',
      });
    const erase = (id: number) =>
      retention().eraser.erase({ reservations: [id], by: 'dpo', cause: 'reservation' });
    expect((await erase(1)).certificate).toMatchObject({ counts: { bodies: 1 } });
    const [first] = await db.select().from(inbox).where(eq(inbox.reservationId, 1));
    expect(first).toMatchObject({ state: 'done', verdict: 'after-terminal', rule: 'L08', raw: null });
    expect(await hasDeadLetters(db)).toBe(true);
    await erase(2);
    expect(await hasDeadLetters(db)).toBe(false);
  });

  it('hashes of bodies are deleted too, of those whose body the retention had removed as well', async () => {
    await close(1, now - day);
    await close(2, now - day);
    const { db } = database;
    const stored = (nth: number) => ({
      channel: 'status' as const,
      path: '/',
      receivedAt: now,
      headers: {},
      raw: nth === 1 ? null : Buffer.from('sealed'),
      contentHash: `keyed hash ${nth}`,
      state: 'done' as const,
      verdict: 'applied' as const,
    });
    await db.insert(inbox).values([
      { identity: 'content', eventId: 'keyed hash 1', reservationId: 1, ...stored(1) },
      { identity: 'webhook-id', eventId: 'msg-2', reservationId: 1, ...stored(2) },
      { identity: 'webhook-id', eventId: 'msg-3', reservationId: 2, ...stored(3) },
    ]);
    await retention().eraser.erase({ reservations: [1], by: 'dpo', cause: 'reservation' });
    const rows = await db.select().from(inbox).orderBy(inbox.id);
    expect(rows.map(({ eventId, contentHash }) => [eventId, contentHash])).toEqual([
      ['erased', ''],
      ['msg-2', ''],
      ['msg-3', 'keyed hash 3'],
    ]);
  });

  it('a repeat of a callback after the erasure is no new event, and its id still stands for no other reservation', async () => {
    await close(1, now - day);
    const reused = vi.fn();
    const store = createInboxStore(database, sealer, { onReusedIds: reused });
    const arrival = (reservationId: number): Arrival => ({
      identity: 'webhook-id',
      eventId: 'msg-1',
      channel: 'status',
      path: '/',
      reservationId,
      receivedAt: now,
      headers: {},
      raw: Buffer.from(`{"reservationId":${reservationId}}`),
      contentHashes: [`keyed hash of ${reservationId}`],
    });
    await store.store(arrival(1));
    await database.db.update(inbox).set({ state: 'done', verdict: 'applied' });
    await retention().eraser.erase({ reservations: [1], by: 'dpo', cause: 'reservation' });
    await store.store(arrival(1));
    const rows = () => database.db.select().from(inbox).orderBy(inbox.id);
    expect(await rows()).toMatchObject([{ reservationId: 1, copies: 2, raw: null }]);
    expect(reused).not.toHaveBeenCalled();
    await store.store(arrival(2));
    expect(await rows()).toMatchObject([{ reservationId: 1 }, { reservationId: 2, identity: 'content' }]);
    expect(reused).toHaveBeenCalledWith(1);
  });

  it('the reason of a replay by selection is deleted with the reservation that it selected, and no other', async () => {
    await close(1, now - day);
    const entry = { by: 'lee', action: 'inbox.replay', subject: 'inbox', at: now } as const;
    for (const reservationId of [1, 11])
      await writeAudit(database.db, sealer, { ...entry, data: { reservationId }, reason: 'Hong phoned' });
    const { certificate } = await retention().eraser.erase({
      reservations: [1],
      by: 'dpo',
      cause: 'reservation',
    });
    expect(certificate).toMatchObject({ counts: { reasons: 1 } });
    const left = await database.db.execute(sql`select data from audit where reason is not null`);
    expect(rowsOf(left)).toEqual([{ data: { reservationId: 11 } }]);
  });

  it('an open hold of an erased reservation is reported, and the next erasure takes it once it is over', async () => {
    await close(1, now - day);
    await recordHold('h-1', 1);
    await database.db.update(holds).set({ endedAt: null });
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    const { eraser } = retention();
    const open = { holdId: 'h-1', code: 'HOLD_OPEN' };
    expect(await eraser.preview(order)).toMatchObject({
      wouldErase: { reservations: [1], holds: [] },
      refused: [open],
    });
    expect(await eraser.erase(order)).toMatchObject({
      certificate: { reservations: [1], counts: { holds: 0 } },
      refused: [open],
    });
    expect(await eraser.erase(order)).toMatchObject({
      certificate: null,
      refused: [{ reservationId: 1, code: 'RESERVATION_ERASED' }, open],
    });
    expect(await holdReason('h-1')).toContain('Hong');
    await database.db.update(holds).set({ endedAt: now });
    expect(await eraser.preview(order)).toMatchObject({ wouldErase: { reservations: [], holds: ['h-1'] } });
    expect((await eraser.erase(order)).certificate).toMatchObject({ reservations: [], counts: { holds: 1 } });
    expect(await holdReason('h-1')).not.toContain('Hong');
    expect(await isDestroyed('hold-h-1')).toBe(true);
    expect((await eraser.erase(order)).certificate).toBeNull();
  });

  it('two erasures at once erase once', async () => {
    await close(1, now - day);
    const order = { reservations: [1], by: 'dpo', cause: 'reservation' } as const;
    const both = await Promise.all([retention().eraser.erase(order), retention().eraser.erase(order)]);
    expect(both.filter(({ certificate }) => certificate !== null)).toHaveLength(1);
    expect(await certificates()).toHaveLength(1);
  });

  // the embedded database serves one process
  it('handover erase --certificates prints every certificate, however many there are (needs a Postgres server)', async ({
    skip,
  }) => {
    skip(database.kind === 'pglite');
    await database.db.execute(sql`
      insert into erasures (at, by, cause, reservations, counts)
      select now(), 'dpo', 'reservation', jsonb_build_array(one), '{}' from generate_series(1, 1001) as one`);
    const [{ name } = { name: '' }] = rowsOf<{ name: string }>(
      await database.db.execute(sql`select current_database() as name`),
    );
    const address = new URL(process.env.HANDOVER_TEST_DATABASE_URL ?? '');
    address.pathname = name;
    const env = {
      DATABASE_URL: address.href,
      CODEC_KEYS: `${publicTestKey.id}:${publicTestKey.key.toString('base64')}`,
    };
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const printed = async (...options: string[]) => {
      print.mockClear();
      await runErase(['--certificates', ...options], env);
      return JSON.parse(print.mock.calls.map(([text]) => text).join(''));
    };
    try {
      const all = await printed('--json');
      const reservations = all.flatMap((one: { reservations: number[] }) => one.reservations);
      expect(reservations).toEqual(Array.from({ length: 1001 }, (_, index) => 1001 - index));
      expect(await printed()).toEqual(all);
      await database.db.execute(sql`delete from erasures`);
      expect(await printed('--json')).toEqual([]);
    } finally {
      print.mockRestore();
    }
  });

  // the embedded database has one connection: nothing can happen meanwhile
  it('an erasure while the photos of the same reservation are deleted: no name comes back (needs a Postgres server)', async ({
    skip,
  }) => {
    skip(database.kind === 'pglite');
    await close(1, now - 2 * year);
    const erased = { reservationId: 1, bookings: [], holds: [], remains: new Map(), by: 'dpo', at: now };
    const { eraser } = retention();
    let photos: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await eraseRows(tx, sealer, erased);
      photos = eraser.erasePhotos([1], 'retention');
      await eventually('it waits for the erasure', async () => {
        const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rowsOf(await database.prompt.execute(waiting)).length > 0;
      });
    });
    await photos;
    expect(JSON.stringify(await cases().view(1))).not.toContain(personal);
  });

  it('after a rotation keys are wrapped by the new key of the ring, and the old one is not needed', async () => {
    const second = { id: 'second', key: randomBytes(32) };
    await close(1, now - day);
    const before = await keysUnder().forReading('reservation-1');
    await eraseDue(retention({ dataKeys: keysUnder([second, publicTestKey]) }), now, never);
    const after = await keysUnder([second]).forReading('reservation-1');
    expect(before !== destroyed && after !== destroyed && before.key.equals(after.key)).toBe(true);
  });
});

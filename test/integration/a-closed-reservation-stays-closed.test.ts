import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { and, asc, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import type { Reservation } from '../../src/platform/model.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createEndedReservations } from '../../src/store/reservations/ended.js';
import { createInboxTraces } from '../../src/store/reservations/traces.js';
import { caseFiles, inbox } from '../../src/store/schema.js';
import { temporalReservations } from '../../src/temporal/client/reservations/reservations.js';
import { aReservation, pathOf, reservationBody, signedHeaders, statusBody } from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { sealer } from '../support/intake.js';
import { startRecordingWorker } from '../support/recording-worker.js';

const driver = 'Hong Gil-dong, who rents';
const base = 91_000;
/** A server deletes only what it has seen its own notes to: it looks each 30 s. */
const forgetful = {
  'history.transferProcessorUpdateAckInterval': '"100ms"',
  'history.visibilityProcessorUpdateAckInterval': '"100ms"',
};

/** Over real HTTP: callbacks in, the status API out; a worker of the product's own rows around a fake platform. */
onOneDatabase('a closed reservation', (lane) => {
  let database: HandoverDatabase;
  let parts: HandoverParts;
  let stopWorker: () => Promise<void>;
  /** As the workflow returned it. */
  let before: { reservation: unknown; story: unknown[] };

  beforeAll(async () => {
    database = await lane.open();
    parts = await startHandoverParts(database, { policy: { settleMs: 300 }, engine: forgetful });
    stopWorker = await startRecordingWorker(parts, database);
    for (const id of [1, 2, 3, 4]) await closed(base + id, id === 4 ? 45 : 40);
    before = {
      reservation: (await parts.ask('GET', `/api/reservations/${base + 1}`)).body,
      story: await timelineOf(base + 1),
    };
    await Promise.all([1, 2, 3].map((id) => forget(base + id)));
  }, 120_000);
  afterAll(async () => {
    await stopWorker?.();
    await parts?.stop();
    await database?.close();
  }, 30_000);

  const callback = async (kind: 'registration' | 'status', body: string) => {
    const sent = { method: 'POST', headers: signedHeaders(body), body };
    const { status } = await fetch(parts.api + pathOf(kind), sent);
    expect(status).toBeLessThan(300);
  };
  const handleOf = (id: number) => parts.engine.client.workflow.getHandle(reservationWorkflowId(id));
  const isUnknown = (id: number) =>
    handleOf(id)
      .describe()
      .then(
        () => false,
        (error: unknown) => error instanceof WorkflowNotFoundError,
      );
  /** The command of the reservation on which staff acted. */
  const acted = randomUUID();
  /** Announced, ended, settled, and its workflow over. */
  const closed = async (id: number, status: number) => {
    const startAt = Date.parse('2026-11-21T00:00:00Z') + id * 3_600_000;
    const facts: Partial<Reservation> = {
      driverName: driver,
      carId: id,
      startAt,
      endAt: startAt + 3_600_000,
    };
    await callback('registration', reservationBody('registration', aReservation(id, facts)));
    if (id === base + 3) {
      const staff = await eventually('staff is assigned', async () => {
        const answer = await parts.sendAction(id, 'dispatch.staff', acted);
        return answer.status === 200 && answer;
      });
      expect(staff).toMatchObject({ status: 200, body: { status: { code: 5 } } });
    }
    await callback('status', statusBody(id, status));
    await eventually('its workflow is over', async () => {
      const ended = await handleOf(id)
        .describe()
        .catch(() => undefined);
      return ended?.status.name === 'COMPLETED';
    });
  };
  /** What Temporal's retention does in its time. */
  const forget = async (id: number) => {
    const { client, namespace } = parts.engine;
    const workflowExecution = { workflowId: reservationWorkflowId(id) };
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    const look = async () => (await isUnknown(id)) || (await sleep(100));
    await eventually('Temporal has forgotten it', look, 60_000);
  };
  const as = async (role: string, path: string) => {
    const token = parts.setting.config.tokens.find((one) => one.role === role)?.token;
    const answer = await fetch(parts.api + path, { headers: { authorization: `Bearer ${token}` } });
    return answer.json();
  };
  const timelineOf = async (id: number) =>
    (await parts.ask('GET', `/api/reservations/${id}/timeline`)).body.items;

  it('L47: is in the list of closed reservations, page by page and filtered', async () => {
    const ids = (items: { reservationId: number; closed: boolean }[]) =>
      items.filter((item) => item.closed).map(({ reservationId }) => reservationId - base);
    const first = await parts.ask('GET', '/api/reservations?closed=true&limit=3');
    expect(ids(first.body.items)).toEqual([4, 3, 2]);
    const cursor = encodeURIComponent(first.body.nextCursor);
    const second = await parts.ask('GET', `/api/reservations?closed=true&limit=3&cursor=${cursor}`);
    expect(ids(second.body.items)).toEqual([1]);
    expect(second.body.nextCursor).toBeNull();
    expect(second.body.items).toMatchObject([{ status: { code: 40, name: 'reservation cancelled' } }]);
    const found = async (filter: string) =>
      ids((await parts.ask('GET', `/api/reservations?closed=true&${filter}`)).body.items);
    expect(await found('status=45')).toEqual([4]);
    expect(await found(`carId=${base + 2}`)).toEqual([2]);
    const { start, end } = second.body.items[0].period;
    expect(await found(`from=${encodeURIComponent(start)}&to=${encodeURIComponent(end)}`)).toEqual([1]);
    const open = await parts.ask('GET', `/api/reservations?closed=false&cursor=${cursor}`);
    expect(open).toMatchObject({ status: 409, body: { code: 'CURSOR_UNKNOWN' } });
  });

  it('is read as before after Temporal deleted its workflow; a viewer sees no personal data', async () => {
    const id = base + 1;
    const { body } = await parts.ask('GET', `/api/reservations/${id}`);
    expect(body).toEqual(before.reservation);
    expect(body).toMatchObject({ status: { code: 40 }, driver: { name: driver }, closed: true });
    expect(await timelineOf(id)).toEqual(before.story);
    expect(before.story.length).toBeGreaterThan(1);
    const seen = await as('viewer', `/api/reservations/${id}`);
    expect(seen).toMatchObject({ reservationId: id, driver: null, closed: true });
    expect(JSON.stringify(seen)).not.toContain(driver);
  });

  it('L08: a later callback is after-terminal, has its entry beside the case file, and starts no workflow', async () => {
    const id = base + 2;
    const story = await timelineOf(id);
    await callback('status', statusBody(id, 10));
    await callback('registration', reservationBody('registration', aReservation(id)));
    const judged = () =>
      database.db.select().from(inbox).where(eq(inbox.reservationId, id)).orderBy(asc(inbox.id));
    await eventually('they have their verdicts', async () =>
      (await judged()).every(({ state }) => state === 'done'),
    );
    expect((await judged()).slice(-2).map(({ verdict, rule }) => [verdict, rule])).toEqual([
      ['after-terminal', 'L08'],
      ['after-terminal', 'L08'],
    ]);
    expect(await timelineOf(id)).toEqual([
      ...story,
      expect.objectContaining({ seq: story.length + 1, rule: 'L08', kind: 'event' }),
      expect.objectContaining({ seq: story.length + 2, rule: 'L08', kind: 'event' }),
    ]);
    expect(await isUnknown(id)).toBe(true);
  });

  it('L08: a callback that comes while Temporal still stores the workflow is handled in the same way', async () => {
    const id = base + 4;
    const story = await timelineOf(id);
    await callback('status', statusBody(id, 20));
    const [line] = await eventually('it has its entry', async () => {
      const more = (await timelineOf(id)).slice(story.length);
      return more.length > 0 && more;
    });
    expect(line).toMatchObject({ rule: 'L08', data: { status: 20, verdict: 'after-terminal' } });
    expect(line.text).toContain('contradicts 45');
    expect((await handleOf(id).describe()).status.name).toBe('COMPLETED');
  });

  it('accepts no action, photo, resolution or assertion, and none of them starts a workflow', async () => {
    const id = base + 3;
    const key = randomUUID();
    const reason = 'seen on the web site';
    const answers = [
      await parts.sendAction(id, 'dispatch.start'),
      await parts.sendAction(id, 'dispatch.carImage'),
      await parts.sendAction(id, 'recall.complete'),
      await parts.ask('PUT', `/api/reservations/${id}`, { key, json: { status: 20, reason } }),
      await parts.ask('POST', `/api/reservations/${id}/attention/conflict/resolve`, {
        key,
        json: { reason },
      }),
      await parts.ask('POST', `/api/reservations/${id}/commands/c-1/resolve`, {
        key,
        json: { outcome: 'applied', reason },
      }),
    ];
    for (const { status, body } of answers) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'RESERVATION_TERMINAL' });
    }
    expect(await isUnknown(id)).toBe(true);
    expect((await parts.ask('GET', `/api/reservations/${id}`)).body).toMatchObject({ status: { code: 40 } });
  });

  it('L21: a repeated action still gets its first result; the same id with another action is refused', async () => {
    const id = base + 3;
    const again = await parts.sendAction(id, 'dispatch.staff', acted);
    expect(again).toMatchObject({ status: 200, body: { closed: true, status: { code: 40 } } });
    expect(again.body.commands).toMatchObject([{ commandId: acted, outcome: 'applied' }]);
    for (const action of ['recall.staff', 'dispatch.start', 'dispatch.carImage'] as const) {
      const { status, body } = await parts.sendAction(id, action, acted);
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'COMMAND_ID_REUSED' });
    }
    expect(await isUnknown(id)).toBe(true);
  });

  it('is read while Temporal is down; an open reservation cannot be read then', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const away = temporalReservations(new Client({ connection }), {
      policy: parts.setting.policy,
      cases: createCaseFiles(database.db, sealer, [publicTestKey]),
      inbox: createInboxTraces(database.db),
      wakeRelay: () => {},
      within: { view: 300, update: 300, readAgain: 300 },
    });
    expect(await away.view(base + 1)).toMatchObject({ reservationId: base + 1, closed: true });
    await expect(away.view(base + 99)).rejects.toMatchObject({ name: 'EngineUnavailableError' });
    await connection.close();
  });

  it('beside it, 20 at a time: a reservation is known to the next request after its acknowledgement, and is not closed', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => base + 100 + index);
    const codes = await Promise.all(
      ids.map(async (id) => {
        await callback('registration', reservationBody('registration', aReservation(id)));
        const read = parts.ask('GET', `/api/reservations/${id}`);
        const acted = parts.sendAction(id, 'dispatch.staff');
        return [(await read).body.code, (await acted).body.code];
      }),
    );
    // on a busy machine the relay may take longer than a request waits
    expect(new Set(codes.flat())).not.toContain('RESERVATION_NOT_FOUND');
    expect(new Set(codes.flat())).not.toContain('RESERVATION_TERMINAL');
    for (const id of ids) await eventually('it is known', async () => (await parts.view(id)) !== undefined);
  });

  it('beside it: a reservation whose workflow was terminated stays ended after Temporal deleted it, until a manager starts it again', async () => {
    const id = base + 200;
    const rowsOf = () =>
      database.db.select().from(inbox).where(eq(inbox.reservationId, id)).orderBy(asc(inbox.id));
    const refused = async (events: number) =>
      (await rowsOf()).length === events && (await rowsOf()).at(-1)?.lastError === 'WORKFLOW_TERMINATED';
    const isEnded = createEndedReservations(database.db).has;
    await callback('registration', reservationBody('registration', aReservation(id)));
    await eventually('it is known', async () => (await parts.view(id)) !== undefined);
    await eventually('its registration has a verdict', async () => (await rowsOf())[0]?.state === 'done');
    await handleOf(id).terminate('by hand');
    await callback('status', statusBody(id, 10));
    await eventually('its callback is refused', () => refused(2), 20_000);
    await database.db.delete(inbox).where(and(eq(inbox.reservationId, id), ne(inbox.state, 'done')));
    await forget(id);
    await callback('status', statusBody(id, 15));
    await eventually('its callback is refused again', () => refused(2), 20_000);
    expect(await isUnknown(id)).toBe(true);
    const acted = await parts.sendAction(id, 'dispatch.staff');
    expect(acted).toMatchObject({ status: expect.any(Number) });
    expect(['RESERVATION_ENDED', 'RESERVATION_NOT_READY']).toContain(acted.body.code);

    await database.db.delete(inbox).where(and(eq(inbox.reservationId, id), ne(inbox.state, 'done')));
    expect((await parts.sendAction(id, 'dispatch.staff')).body.code).toBe('RESERVATION_ENDED');
    expect(await isEnded(id)).toBe(true);
    const restart = { status: 10, reason: 'terminated by mistake' };
    expect(
      await parts.ask('PUT', `/api/reservations/${id}`, { key: randomUUID(), json: restart }),
    ).toMatchObject({ status: 200, body: { status: { code: 10 } } });
    await callback('status', statusBody(id, 15));
    await eventually('it runs as any other', async () => !(await isEnded(id)), 20_000);
  });

  it('L60: its table holds no personal data in plain text', async () => {
    const kept = await database.db.select().from(caseFiles);
    expect(kept).toHaveLength(4);
    for (const { view, ...plain } of kept) {
      expect(JSON.stringify(plain)).not.toContain(driver);
      expect(view.includes(driver)).toBe(false);
    }
  });
});

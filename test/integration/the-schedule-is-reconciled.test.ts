import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import {
  type ReconciliationResult,
  reconciliationId,
  reconciliationWorkflow,
} from '../../src/contract/reconciliation.js';
import { type EventBatch, eventsSignal } from '../../src/contract/reservation.js';
import type { Believed } from '../../src/domain/reconciliation/believed.js';
import { slicesOf } from '../../src/domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../src/domain/reservation/index.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { adoptFinding } from '../../src/store/findings/adopt.js';
import { markNotified, waitingNotices } from '../../src/store/findings/checks.js';
import { listFindings } from '../../src/store/findings/findings.js';
import { storeSlice } from '../../src/store/findings/reads.js';
import { reconcileReading } from '../../src/store/findings/reconcile.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { audit, timeline } from '../../src/store/schema.js';
import { reconciliationStart, scheduleReconciliation } from '../../src/temporal/client/reconciliation.js';
import { openReservations } from '../../src/temporal/client/reservations/believed.js';
import { contraryProfile } from '../profiles/contrary.js';
import { callbackSecret } from '../support/callbacks.js';
import { embeddedLane, onOneDatabase } from '../support/database.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { answersIn, sealer } from '../support/intake.js';
import { keys } from '../support/sandbox.js';
import { wireProfiles } from '../support/wire-profiles.js';

const hour = 3_600_000;
const soon = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 15_000, interval: 100 });

const sides = [
  { profile: defaultProfile, roles: 'both roles', env: {} },
  {
    profile: contraryProfile,
    roles: 'the supplier alone',
    env: { PLATFORM_BASE_URL: 'http://127.0.0.1:1', PLATFORM_SUPPLIER_API_KEY: keys.supplier },
  },
];
describe.each(sides.filter(({ profile }) => wireProfiles.includes(profile)))(
  '$roles under the $profile.name profile',
  ({ profile, env }) => {
    const lane = embeddedLane();
    let database: HandoverDatabase;
    let parts: HandoverParts;

    beforeAll(async () => {
      database = await lane.open();
      parts = await startHandoverParts(database, { profile, env, worker: true });
    });
    afterAll(async () => {
      await parts?.stop();
      await database?.close();
    });

    const setReceiving = (isReceiving: boolean) =>
      parts.sandbox.setCallback(isReceiving ? { url: parts.api, secret: callbackSecret } : undefined);
    const reconcile = (): Promise<ReconciliationResult> =>
      parts.engine.client.workflow.execute(reconciliationWorkflow, {
        workflowId: reconciliationId,
        taskQueue,
        args: [reconciliationStart(parts.setting.config, profile)],
      });
    const findings = async (query = '') => (await parts.ask('GET', `/api/findings${query}`)).body.items;
    const kinds = async (id: number) => (await parts.view(id))?.attention.map(({ kind }) => kind) ?? [];
    /** By what the reconciliation reads, which lags behind. */
    const listed = (id: number, isListed: (item: Believed) => boolean = () => true) =>
      soon(async () => {
        const items = await openReservations(parts.engine.client, () => {});
        expect(items.some((item) => item.reservationId === id && isListed(item))).toBe(true);
      });
    const booked = async () => {
      const id = await parts.platform.booked();
      await listed(id);
      return id;
    };

    it('F41: entries of known reservations agree; F44, F48, F49: an unannounced entry becomes a finding with an alert and is adopted; F51: a reconciliation that works clears the alert of one that failed', async () => {
      const known = await booked();
      setReceiving(false);
      const unannounced = await parts.platform.booked();
      setReceiving(true);
      expect(await reconcile()).toMatchObject({ entries: 2, agree: 1, undiscovered: 1 });
      expect(await findings()).toMatchObject([{ kind: 'undiscovered', state: 'seen', reads: 1 }]);
      const stuck = { kind: 'reconciliation-stuck', subject: '', message: '', at: 1 } as const;
      await createAlerts(database.db, { sealer, post: false }).raise(stuck);
      expect(await reconcile()).toMatchObject({ undiscovered: 1, told: 0 });
      const [card] = await findings('?kind=undiscovered&state=open');
      const { carId, startAt } = await parts.platform.truth(unannounced);
      expect(card).toMatchObject({ reads: 2, carId, reservationId: null });
      expect(Date.parse(card.period.start)).toBe(Date.parse(startAt));
      const { body } = await parts.ask('GET', '/api/alerts');
      expect(body.items).toMatchObject([{ kind: 'undiscovered-reservations' }]);

      const adopt = { reservationId: unannounced, status: 5, reason: 'looked up on the web site' };
      const asked = () =>
        parts.ask('POST', `/api/findings/${card.id}/adopt`, { key: 'adopt-1', json: adopt });
      expect(await asked()).toMatchObject({
        status: 200,
        body: { state: 'adopted', reservationId: unannounced },
      });
      expect(await asked()).toMatchObject({ status: 200, body: { state: 'adopted' } });
      expect(await parts.view(unannounced)).toMatchObject({ car: { id: carId, grade: 'asserted' } });
      expect((await parts.ask('GET', '/api/alerts')).body.items).toEqual([]);
      const audit = (await parts.ask('GET', '/api/audit?action=finding.adopt')).body.items;
      expect(audit).toMatchObject([
        { subject: `finding/${card.id}`, reason: adopt.reason, commandId: 'adopt-1' },
      ]);

      await listed(unannounced);
      expect(await reconcile()).toMatchObject({ agree: 2, undiscovered: 0, told: 1 });
      await soon(async () => {
        expect(await parts.view(unannounced)).toMatchObject({
          car: { grade: 'corroborated', source: { kind: 'schedule', id: `${card.scheduleId}` } },
          period: { grade: 'corroborated' },
        });
      });
      expect(await parts.view(known)).toMatchObject({ car: { grade: 'observed' } });
      expect(await reconcile()).toMatchObject({ agree: 2, told: 0 });
    });

    it('F41: an S entry of the web site is shown among what takes its car, and is no finding', async () => {
      const { startAt, endAt } = parts.platform.nextPeriod();
      const entry = { carId: 2001, startDateTimeStr: startAt, endDateTimeStr: endAt, reason: 'maintenance' };
      const made = await parts.platform.call('POST', '/schedule', { key: keys.supplier, body: entry });
      expect(made).toMatchObject({ status: 200 });
      await reconcile();
      const within = new URLSearchParams({ from: startAt, to: endAt, carId: '2001' });
      const { body } = await parts.ask('GET', `/api/schedule?${within}`);
      expect(body.items).toMatchObject([
        { carId: 2001, bars: [{ type: 'entry', scheduleId: made.body.scheduleId }] },
      ]);
      expect(await findings('?kind=undiscovered&state=open')).toEqual([]);
    });

    it('F42: a moved period and a lost cancellation, read twice, raise attention, which clears when they agree', async () => {
      const moved = await booked();
      const cancelled = await booked();
      await reconcile();
      setReceiving(false);
      const { startAt, endAt } = await parts.platform.truth(moved);
      const later = (at: string) => new Date(Date.parse(at) + 200 * hour).toISOString();
      await parts.platform.control('POST', `/reservations/${moved}/period`, {
        startAt: later(startAt),
        endAt: later(endAt),
      });
      await parts.platform.customer(cancelled, 'cancel');
      expect(await reconcile()).toMatchObject({ differ: 1, missing: 1 });
      expect(await kinds(moved)).toEqual([]);
      expect(await reconcile()).toMatchObject({ differ: 1, missing: 1 });
      await soon(async () => expect(await kinds(moved)).toEqual(['schedule-differs']));
      await soon(async () => expect(await kinds(cancelled)).toEqual(['schedule-missing']));
      expect(await findings('?state=open')).toMatchObject([
        { kind: 'missing-there', reservationId: cancelled, scheduleId: null },
        { kind: 'period-differs', reservationId: moved },
      ]);
      expect(await reconcile()).toMatchObject({ told: 0 });

      setReceiving(true);
      await parts.platform.control('POST', `/reservations/${moved}/period`, { startAt, endAt });
      await listed(moved, ({ period }) => period?.start === Date.parse(startAt));
      await reconcile();
      await soon(async () => expect(await kinds(moved)).toEqual([]));
      expect(await findings('?kind=period-differs')).toMatchObject([{ state: 'gone' }]);
    });

    it('L13: of two periods of unknown order, the one that the schedule shows is decided', async () => {
      const id = await booked();
      const { startAt, endAt } = await parts.platform.truth(id);
      const right = { start: Date.parse(startAt), end: Date.parse(endAt) };
      const wrong = { start: right.start, end: right.end + 300 * hour };
      const said = (period: typeof right, place: number) => ({
        eventId: `hand-made-${place}`,
        inboxId: 900_000 + place,
        channel: 'update' as const,
        receivedAt: Date.now(),
        contentHash: `${place}`,
        status: 5,
        period,
      });
      const batch: EventBatch = { events: [said(right, 1), said(wrong, 2)], policy: parts.setting.policy };
      await parts.engine.client.workflow.getHandle(reservationWorkflowId(id)).signal(eventsSignal, batch);
      await soon(async () => expect((await parts.view(id))?.marks).toContain('ambiguous:period'));
      await listed(id, ({ period }) => period?.end === wrong.end);
      await reconcile();
      await soon(async () => expect((await parts.view(id))?.marks).not.toContain('ambiguous:period'));
      const view = await parts.view(id);
      expect(Date.parse(view?.period?.end ?? '')).toBe(right.end);
    });

    it('F40: the Temporal Schedule follows the configuration, keeps a pause, and is deleted where it is off', async () => {
      const { client } = parts.engine;
      const { config } = parts.setting;
      const handle = client.schedule.getHandle(reconciliationId);
      const every = async () => (await handle.describe()).spec.intervals?.map((interval) => interval.every);
      await scheduleReconciliation(client, config, profile);
      expect(await handle.describe()).toMatchObject({
        action: { workflowType: reconciliationWorkflow, taskQueue },
        policies: { overlap: 'SKIP' },
      });
      expect(await every()).toEqual([15 * 60_000]);
      await handle.pause();
      const hourly = { ...config, reconciliation: { ...config.reconciliation, everyMs: hour } };
      await scheduleReconciliation(client, hourly, profile);
      expect(await every()).toEqual([hour]);
      expect((await handle.describe()).state.paused).toBe(true);
      const off = { ...config, reconciliation: { ...config.reconciliation, everyMs: 0 } };
      for (const _ of [1, 2]) await scheduleReconciliation(client, off, profile);
      await expect(handle.describe()).rejects.toThrow();
      const { supplierKey: _, ...platform } = config.platform;
      await scheduleReconciliation(client, { ...config, platform }, profile);
      await expect(handle.describe()).rejects.toThrow();
    });
  },
);

onOneDatabase('one reading after the other', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database?.close());

  const now = Date.UTC(2026, 10, 21, 3);
  const slices = slicesOf(now, { daysBack: 1, daysAhead: 8, sliceDays: 4, zoneOffsetMinutes: 540 });
  const entry = (scheduleId: number, fromHour: number): ScheduleEntry => ({
    scheduleId,
    carId: scheduleId + 100,
    start: now + fromHour * hour,
    end: now + (fromHour + 4) * hour,
  });
  const believed = ({ scheduleId, carId, start, end }: ScheduleEntry) => ({
    reservationId: scheduleId + 8_000,
    carId,
    companyId: 11,
    period: { start, end },
    ended: false,
  });
  const [known, stranger, lost] = [entry(1, 2), entry(2, 3), entry(3, 90)];
  let readings = 0;
  const read = async (entries: ScheduleEntry[], at = now + ++readings * 60_000) => {
    const run = `run-${at}`;
    for (const [index, { from, to }] of slices.entries()) {
      const shown = entries.filter(({ start, end }) => start < to && end > from);
      await storeSlice(database.db, { run, index }, shown, at);
    }
    return reconcileReading(database.db, { run, at, slices }, [believed(known), believed(lost)]);
  };
  const waiting = () => waitingNotices(database.db, { after: 0, limit: 10 });
  const found = async () =>
    (await listFindings(database.db, { limit: 10 })).items.map(({ kind, state, reads }) => ({
      kind,
      state,
      reads,
    }));

  it('F46, F47: a repeated reading, as when its worker was killed, finds and reports the same', async () => {
    const at = now + 1;
    const nearby = entry(4, 91);
    const first = await read([known, stranger, nearby], at);
    expect(first).toMatchObject({ entries: 3, agree: 1, missing: 1, undiscovered: 2, told: 1 });
    const once = [await found(), await waiting()];
    expect(await read([known, stranger, nearby], at)).toEqual(first);
    expect([await found(), await waiting()]).toEqual(once);
    expect(once[0]).toEqual([
      { kind: 'undiscovered', state: 'seen', reads: 1 },
      { kind: 'undiscovered', state: 'seen', reads: 1 },
    ]);
    await markNotified(database.db, await waiting());
    expect(await waiting()).toEqual([]);
  });

  it('F47: a reservation is not notified again, unless later events may have left a fact in doubt', async () => {
    expect(await read([known, stranger])).toMatchObject({ told: 0 });
    const line = {
      reservationId: 8_001,
      seq: 1,
      kind: 'event' as const,
      text: 'the period changed',
      data: {},
    };
    await database.db.insert(timeline).values({ ...line, at: now + 30, rule: 'L18' });
    expect(await read([known, stranger])).toMatchObject({ told: 0 });
    await database.db.insert(timeline).values({ ...line, seq: 2, at: now + 31, rule: 'L12' });
    expect(await read([known, stranger])).toMatchObject({ told: 1 });
    const words = await waiting();
    expect(words).toMatchObject([{ reservationId: 8_001, notice: { evidence: { entry: known } } }]);
    await markNotified(database.db, words);
    expect(await read([known, stranger])).toMatchObject({ told: 0 });
  });

  it('F45, F46: a difference counts when it is read twice, a single one leaves no trace, and an empty reading changes nothing', async () => {
    const open = { kind: 'undiscovered', state: 'open', reads: 5 };
    // no reading of its days has shown an entry that is known
    const distant = { kind: 'undiscovered', state: 'seen', reads: 1 };
    expect(await found()).toEqual([distant, open]);
    await read([]);
    expect(await found()).toEqual([distant, open]);
    await read([known]);
    expect(await found()).toEqual([distant, { ...open, state: 'gone' }]);
    const moved = { ...known, end: known.end + hour };
    expect(await read([moved, lost])).toMatchObject({ agree: 1, differ: 1, told: 2 });
    await markNotified(database.db, await waiting());
    expect(await read([moved, lost])).toMatchObject({ told: 1 });
    expect(await waiting()).toMatchObject([{ notice: { evidence: { entry: moved, confirmed: true } } }]);
    await read([known, lost]);
    expect(await found()).toEqual([
      { kind: 'period-differs', state: 'gone', reads: 2 },
      { ...open, state: 'gone' },
    ]);
  });

  it('F49: of two managers who adopt a finding as different reservations at the same moment, one succeeds', async () => {
    await read([known, entry(8, 3)]);
    const { items } = await listFindings(database.db, { kind: 'undiscovered', limit: 1 });
    const [finding] = items;
    if (finding === undefined) throw new Error('there is a card');
    const adopt = (reservationId: number) =>
      adoptFinding(
        database.db,
        { sealer, answers: answersIn(database.db) },
        {
          finding,
          reservationId,
          by: 'lee',
          reason: 'looked up',
          at: now,
          commandId: `adopt-${reservationId}`,
        },
      );
    const ends = (await Promise.all([adopt(8_801), adopt(8_802)])).filter((end) => end !== 'reused');
    expect(ends).toHaveLength(2);
    expect(new Set(ends.map(({ reservationId }) => reservationId)).size).toBe(1);
    const entries = await database.db
      .select()
      .from(audit)
      .where(eq(audit.subject, `finding/${finding.id}`));
    expect(entries).toMatchObject([{ data: { reservationId: ends[0]?.reservationId } }]);
  });

  it('F49, L21: the key of an adoption acts once, and is refused with another reason', async () => {
    await read([known, entry(9, 4)]);
    const { items } = await listFindings(database.db, { kind: 'undiscovered', limit: 1 });
    const [finding] = items;
    if (finding === undefined) throw new Error('there is a card');
    const tools = { sealer, answers: answersIn(database.db) };
    const adopt = (reason: string) =>
      adoptFinding(database.db, tools, {
        finding,
        reservationId: 8_803,
        by: 'lee',
        reason,
        at: now,
        commandId: 'adopt-8803',
      });
    const first = await adopt('looked up');
    expect(first).toMatchObject({ id: finding.id, state: 'adopted', reservationId: 8_803 });
    expect(await adopt('looked up')).toEqual(first);
    expect(await adopt('another reason')).toBe('reused');
    const entries = await database.db
      .select()
      .from(audit)
      .where(eq(audit.subject, `finding/${finding.id}`));
    expect(entries).toHaveLength(1);
  });
});

import { asc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  assertFacts,
  resolveAttention,
  resolveCommand,
  type TimelineEntry,
} from '../../src/domain/reservation/index.js';
import type { AuditAction } from '../../src/domain/shared/audit.js';
import { createActivity } from '../../src/store/activity.js';
import { writeAudit } from '../../src/store/audit.js';
import { CursorError } from '../../src/store/cursor.js';
import { deleteTextsBefore } from '../../src/store/erasure/old-texts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { audit, shifts, timeline } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { createShifts, type Shift } from '../../src/store/shifts.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';
import { openRows } from '../support/open-rows.js';
import { day, hour, minute, origin, registered, whole } from '../support/reservation-story.js';

const sealer = createSealer([publicTestKey]);

onEveryDatabase('what people did', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [audit, timeline, shifts]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const list = (filter: Partial<Parameters<ReturnType<typeof createActivity>['list']>[0]> = {}) =>
    createActivity(database.db).list({ since: origin, limit: 100, ...filter });
  const record = (entries: TimelineEntry[], reservationId = 8421) =>
    createRecorder(database.db, openRows)({ reservationId, verdicts: [], entries });
  const note = (at: number, by: string, action: AuditAction = 'inbox.replay') =>
    writeAudit(database.db, sealer, {
      at,
      by,
      action,
      subject: 'inbox/17',
      reason: 'secret',
      data: { events: 1 },
    });
  const shown = async (filter = {}) =>
    (await list(filter)).items.map(({ by, action, subject }) => [by, action, subject]);

  describe('activity', () => {
    it('has commands, decisions and the audit, and which attention items came and went; no reasons', async () => {
      const story = registered();
      story.sendAction('dispatch.staff');
      story.at(origin + 5 * hour);
      story.sendAction('dispatch.start', { outcome: 'unknown', code: 'TIMEOUT' });
      const unknown = story.view.commands.at(-1)?.commandId ?? '';
      const byLee = { by: 'lee', reason: 'seen on the web site' };
      story.at(origin + 6 * hour);
      story.take(
        resolveCommand(story.state, { commandId: unknown, outcome: 'applied', ...byLee }, story.now),
      );
      story.at(origin + 7 * hour);
      story.take(assertFacts(story.state, { endAt: origin + 40 * hour, ...byLee }, story.now));
      story.at(origin + 8 * hour);
      story.take(resolveAttention(story.state, { kind: 'handover-late', ...byLee }, story.now));
      await record(story.entries);
      await note(origin + 9 * hour, 'kim');
      for (const read of ['photo.read', 'reservation.read', 'codec.read'] as const)
        await note(origin + 9 * hour, 'kim', read);
      const { items } = await list();
      const ofPeople = items.filter(({ by }) => by !== null);
      expect(ofPeople.map(({ by, action, subject }) => [by, action, subject])).toEqual([
        ['kim', 'inbox.replay', 'inbox/17'],
        ['lee', 'attention.resolve', 'reservation/8421'],
        ['lee', 'facts.assert', 'reservation/8421'],
        ['lee', 'command.resolve', 'reservation/8421'],
        ['dana', 'dispatch.start', 'reservation/8421'],
        ['dana', 'dispatch.staff', 'reservation/8421'],
      ]);
      const outcomes = ofPeople
        .filter(({ data }) => data.commandId !== undefined)
        .map(({ data }) => data.outcome);
      expect(outcomes).toEqual(['applied', 'applied', 'applied']);
      const raised = items.filter(({ action }) => action === 'attention.raise');
      expect(raised.map(({ data }) => data.kind)).toContain('handover-late');
      expect(items.some(({ action }) => action === 'attention.clear')).toBe(true);
      expect(JSON.stringify(items)).not.toMatch(/secret|seen on the web site|Kim|0101/);
      expect(ofPeople[0]).toMatchObject({ at: origin + 9 * hour, data: { events: 1 } });
    });

    it('L47: an item that is open when its reservation closes is left open, not cleared', async () => {
      const story = registered();
      story.updated(20);
      story.status(45);
      story.at(story.now + 2 * day);
      await record(story.entries);
      const { items } = await list();
      const of = (action: string) =>
        items.filter((one) => one.action === action).map(({ data }) => data.kind);
      expect(of('attention.leave')).toEqual(['terminal-contradiction']);
      expect(of('attention.clear')).toEqual([]);
    });

    it('L24: a command has its newest outcome, and none before its first', async () => {
      const story = registered();
      story.sendAction('dispatch.staff');
      story.at(origin + 5 * hour);
      story.sendAction('dispatch.start', { outcome: 'rejected', code: 'WRONG', message: 'no' });
      story.at(origin + 6 * hour);
      story.sendAction('dispatch.start', { outcome: 'unknown', code: 'TIMEOUT' });
      const isRequest = ({ data }: TimelineEntry) => data.by !== undefined;
      const outcomes = async () =>
        (await list()).items
          .filter(({ by }) => by !== null)
          .map(({ action, data }) => [action, data.outcome]);
      await record(story.entries.filter(isRequest));
      expect(await outcomes()).toEqual([
        ['dispatch.start', undefined],
        ['dispatch.start', undefined],
        ['dispatch.staff', undefined],
      ]);
      await record(story.entries);
      expect(await outcomes()).toEqual([
        ['dispatch.start', 'unknown'],
        ['dispatch.start', 'rejected'],
        ['dispatch.staff', 'applied'],
      ]);
    });

    it('L42: has no prediction: its `by` is a moment, not a person', async () => {
      const story = registered().at(whole.period.end);
      expect(story.entries.map(({ data }) => data.expected)).toContain(45);
      await record(story.entries);
      expect((await list()).items.filter(({ by }) => by !== null)).toEqual([]);
    });

    it('is of one person, from a moment on, page by page', async () => {
      for (let count = 0; count < 4; count++) await note(origin + count * minute, count % 2 ? 'kim' : 'lee');
      await note(origin + 3 * minute, 'kim');
      await record([
        {
          seq: 1,
          at: origin + 3 * minute,
          kind: 'command',
          rule: 'L20',
          text: '',
          data: { by: 'kim', action: 'recall.staff' },
        },
      ]);
      expect(await shown({ by: 'lee' })).toHaveLength(2);
      expect(await shown({ since: origin + 3 * minute })).toHaveLength(3);
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) });
        pages.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(pages).toEqual((await list()).items.map(({ id }) => id));
      expect(new Set(pages).size).toBe(6);
      await expect(list({ cursor: 'of another list' })).rejects.toBeInstanceOf(CursorError);
    });
  });

  describe('shifts', () => {
    const shift = { at: origin, by: 'kim', since: origin - 8 * hour, note: 'PERSONAL: call Lee back' };
    const store = (keys = [publicTestKey]) => createShifts(database.db, createSealer(keys));

    it('one request accepts one shift; the audit has it, without the note', async () => {
      const accepted = await store().add(shift, 'key-1');
      expect(accepted).toMatchObject(shift);
      expect(await store().add({ ...shift, at: origin + 1 }, 'key-1')).toEqual(accepted);
      const [entry, ...rest] = await database.db.select().from(audit).orderBy(asc(audit.id));
      expect(rest).toEqual([]);
      expect(entry).toMatchObject({ by: 'kim', action: 'shift.accept', data: { note: true } });
      expect(JSON.stringify(entry)).not.toContain('PERSONAL');
    });

    it('a note during a shift is stored and listed, and the audit has that it was written', async () => {
      const note = { ...shift, since: null };
      expect(await store().add(note, 'key-1')).toMatchObject(note);
      expect(await store().add(shift, 'key-1')).toBe('reused');
      expect((await store().list({ limit: 10 })).items).toMatchObject([note]);
      const entries = await database.db.select().from(audit);
      expect(entries).toMatchObject([{ by: 'kim', action: 'shift.note', data: {} }]);
      expect(JSON.stringify(entries)).not.toContain('PERSONAL');
    });

    it('L21: the key of another shift is refused', async () => {
      await store().add(shift, 'key-1');
      expect(await store().add({ ...shift, note: null }, 'key-1')).toBe('reused');
      expect(await store().add({ ...shift, by: 'lee' }, 'key-1')).toBe('reused');
    });

    it('L21: a key stands for its shift also after the note was deleted', async () => {
      const accepted = await store().add(shift, 'key-1');
      await deleteTextsBefore(database.db, origin + 1);
      expect(await store().add(shift, 'key-1')).toEqual({ ...(accepted as Shift), note: null });
      expect(await store().add({ ...shift, note: null }, 'key-1')).toBe('reused');
    });

    it('L21: a shift that an earlier version stored without a mark is compared by its columns', async () => {
      await store().add(shift, 'key-1');
      await database.db.update(shifts).set({ mark: null });
      expect(await store().add(shift, 'key-1')).toMatchObject(shift);
      expect(await store().add({ ...shift, since: origin }, 'key-1')).toBe('reused');
    });

    it('L60: notes are stored encrypted, and listed while their key is there', async () => {
      await store().add(shift, 'key-1');
      await store().add({ ...shift, note: null }, 'key-2');
      const [stored] = await database.db.select().from(shifts).orderBy(asc(shifts.id));
      expect(stored?.note?.includes('PERSONAL')).toBe(false);
      const notes = async (keys = [publicTestKey]) =>
        (await store(keys).list({ limit: 10 })).items.map((one) => one.note);
      expect(await notes()).toEqual([null, shift.note]);
      expect(await notes([{ ...publicTestKey, id: 'another' }])).toEqual([null, null]);
      const first = await store().list({ limit: 1 });
      expect((await store().list({ limit: 1, cursor: first.nextCursor ?? '' })).items).toMatchObject([shift]);
    });
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import type { Change } from '../../src/store/changes/channel.js';
import { ChangeFeed, type FeedMessage } from '../../src/store/changes/feed.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';

onEveryDatabase('the feed of changes', (lane) => {
  let reading: HandoverDatabase;
  /** On a server: of another process. */
  let writing: HandoverDatabase;
  let feed: ChangeFeed;
  beforeAll(async () => {
    reading = await lane.open();
    writing = reading.kind === 'postgres' ? await lane.open() : reading;
    feed = new ChangeFeed(reading, { checkEveryMs: 500 });
  });
  afterAll(async () => {
    await feed.stop();
    if (writing !== reading) await writing.close();
    await reading.close();
  });

  /** Reads from now on. */
  function reader(lastId?: string) {
    const messages: FeedMessage[] = [];
    const end = feed.read((message) => messages.push(message), lastId);
    const changes = () =>
      messages.flatMap((message): Change[] => (message.kind === 'change' ? [message.change] : []));
    return { messages, changes, end };
  }
  const live = () =>
    expect
      .poll(() => {
        const { messages, end } = reader();
        end();
        return messages.at(-1)?.kind;
      })
      .toBe('position');
  const entry = (reservationId: number) => ({
    reservationId,
    verdicts: [],
    entries: [{ seq: 1, at: Date.now(), kind: 'timer' as const, rule: 'L41', text: 'it is late', data: {} }],
  });

  it('a step of a reservation is one change, with the rules of its entries', async () => {
    await live();
    const { changes, end } = reader();
    await createRecorder(writing.db)(entry(8421));
    await expect.poll(changes).toEqual([{ event: 'reservation', id: 8421, codes: ['L41'] }]);
    end();
  });

  it('an alert is a change when it is raised and when it is cleared; several at once are one', async () => {
    await live();
    const { changes, end } = reader();
    const alerts = createAlerts(writing.db, { sealer: createSealer([publicTestKey]), post: false });
    await alerts.raise({ kind: 'intake-silent', subject: '', message: 'silence', at: Date.now() });
    await expect.poll(changes).toMatchObject([{ event: 'alert', codes: ['intake-silent', 'open'] }]);
    await alerts.clear({ kind: 'intake-silent', subject: '', at: Date.now() });
    await expect.poll(changes).toHaveLength(2);
    expect(changes()[1]?.codes).toEqual(['intake-silent', 'cleared']);
    end();
  });

  it('what is rolled back is no change', async () => {
    await live();
    const { changes, end } = reader();
    const abandoned = writing.db.transaction(async (tx) => {
      await tx.execute(sql`insert into timeline (reservation_id, seq, at, kind, rule, text, data)
        values (7, 1, now(), 'timer', 'L41', 'it is late', '{}')`);
      throw new Error('abandoned');
    });
    await expect(abandoned).rejects.toThrow();
    await createRecorder(writing.db)(entry(8422));
    await expect.poll(changes).toMatchObject([{ id: 8422 }]);
    end();
  });

  it('a reader that was away receives what it missed, and is to read everything again where that is not known', async () => {
    await live();
    const first = reader();
    await createRecorder(writing.db)(entry(8423));
    await expect.poll(() => first.changes().length).toBe(1);
    first.end();
    const last = first.messages.at(-1);
    const lastId = last !== undefined && 'id' in last ? last.id : '';
    const record = createRecorder(writing.db);
    const watching = reader();
    await record(entry(8424));
    await record(entry(8425));
    await expect.poll(() => watching.changes().map(({ id }) => id)).toEqual([8424, 8425]);
    watching.end();
    const again = reader(lastId);
    expect(again.changes().map(({ id }) => id)).toEqual([8424, 8425]);
    again.end();
    for (const unknown of ['', 'another-5', `${lastId}999`, 'x']) {
      const stranger = reader(unknown);
      expect(stranger.messages).toMatchObject([{ kind: 'reset', degraded: null }]);
      stranger.end();
    }
  });
});

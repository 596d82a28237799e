import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Alert, type Alerts, createAlerts } from '../../src/store/alerts/alerts.js';
import { inEnglish, message } from '../../src/store/alerts/messages/message.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { alerts as table } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';

const at = Date.UTC(2026, 10, 21);
const alert = { kind: 'undiscovered-reservations', subject: '' } as const;
const ofCount = (count: number) => message('alert.undiscovered-reservations', { count });

onOneDatabase('alerts', (lane) => {
  let database: HandoverDatabase;
  let alerts: Alerts;
  beforeAll(async () => {
    database = await lane.open();
    alerts = createAlerts(database.db, { sealer: createSealer([publicTestKey]), post: false });
  });
  afterEach(() => database.db.delete(table));
  afterAll(() => database.close());

  const shown = async (): Promise<Alert['message'] | undefined> =>
    (await alerts.list({ state: 'open', limit: 1 })).items[0]?.message;
  const stored = async () => {
    const [row] = await database.db.select().from(table);
    return row?.message;
  };

  it('a text is read as code and data, and the release before reads it in English, also once it is reworded', async () => {
    for (const said of [ofCount(1), ofCount(3)]) {
      if (!(await alerts.raise({ ...alert, message: said, at })))
        await alerts.reword({ ...alert, message: said });
      expect(await shown()).toEqual(said);
      expect(await stored()).toBe(inEnglish(said));
    }
  });

  it('a text that the release before raised is shown as it is, until this one rewords it', async () => {
    await database.db.execute(
      sql`insert into alerts (kind, subject, since, message) values (${alert.kind}, '', now(), 'in its words')`,
    );
    expect(await shown()).toBe('in its words');
    await alerts.reword({ ...alert, message: ofCount(3) });
    expect(await shown()).toEqual(ofCount(3));
  });

  it('a text that the release before reworded is shown in its words, never the sentence of before', async () => {
    await alerts.raise({ ...alert, message: ofCount(1), at });
    await database.db.execute(sql`update alerts set message = 'reworded there'`);
    expect(await shown()).toBe('reworded there');
    await alerts.reword({ ...alert, message: ofCount(2) });
    expect(await shown()).toEqual(ofCount(2));
  });

  it('a sentence that another release writes with other data is shown in its stored words', async () => {
    await alerts.raise({ ...alert, message: ofCount(1), at });
    for (const code of ['alert.workflow-stuck', 'alert.of-a-later-release']) {
      await database.db.update(table).set({ said: { code, data: {} }, message: 'in its words' });
      expect(await shown()).toBe('in its words');
    }
  });

  it('a text without a code takes the place of one with a code', async () => {
    await alerts.raise({ ...alert, message: ofCount(1), at });
    await alerts.reword({ ...alert, message: 'of an operator' });
    expect([await shown(), await stored()]).toEqual(['of an operator', 'of an operator']);
  });
});

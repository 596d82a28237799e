import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAttempts, purgeAttempts } from '../../src/store/attempts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { attempts } from '../../src/store/schema.js';
import { onOneDatabase } from '../support/database.js';

const hour = 3_600_000;

onOneDatabase('attempts', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database?.close());

  it('of many runs that record the same attempt at once, one may send it', async () => {
    const { record } = createAttempts(database.prompt);
    const runs = Array.from({ length: 20 }, (_, run) => `run-${run}`);
    const id = { command: '17:dispatch.start:command-1', attempt: '1.0' };
    // one run may ask twice, where its first try was cut off
    const answers = await Promise.all([...runs, 'run-0'].map((run) => record(id, run)));
    expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['recorded', 'known']));
    expect(await record({ ...id, attempt: '1.1' }, 'run-1')).toBe('recorded');
    expect(await record({ ...id, command: 'another' }, 'run-1')).toBe('recorded');
  });

  it('old attempts are purged in portions, young ones stay', async () => {
    const { db } = database;
    const now = Date.now();
    const old = Array.from({ length: 5 }, (_, i) => ({
      command: 'old',
      attempt: `${i}`,
      runId: 'run-1',
      at: now - hour,
    }));
    await db.insert(attempts).values([...old, { command: 'young', attempt: '1', runId: 'run-1', at: now }]);
    const purge = () => purgeAttempts(db, now - hour / 2, 3);
    expect([await purge(), await purge(), await purge()]).toEqual([3, 2, 0]);
    const left = await db.select({ command: attempts.command }).from(attempts);
    expect(left.map(({ command }) => command)).toContain('young');
    expect(left.map(({ command }) => command)).not.toContain('old');
  });
});

it('an attempt counts as not recorded where the database refuses or fails', async () => {
  const away = {
    execute: () => Promise.reject(new Error('away')),
  } as unknown as HandoverDatabase['prompt'];
  expect(await createAttempts(away).record({ command: 'a', attempt: '1' }, 'run-1')).toBe('unavailable');
});

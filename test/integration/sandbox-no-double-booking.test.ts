import { describe, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { sandboxClient } from '../support/sandbox-client.js';
import { copyOfTemplate } from '../support/sandbox-template.js';
import { createOnServer } from '../support/server-database.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;

async function withSandbox(
  database: { folder: string } | { databaseUrl: string },
  test: (sandbox: TestSandbox) => Promise<void>,
) {
  const sandbox = await startTestSandbox(database);
  try {
    await test(sandbox);
  } finally {
    await sandbox.dispose();
  }
}

/** 32 clients want product 301 (four cars) in one and the same hour. */
async function race(sandbox: TestSandbox): Promise<void> {
  const client = sandboxClient(sandbox);
  const period = client.nextPeriod();
  const answers = await Promise.all(Array.from({ length: 32 }, () => client.book(period)));
  const won = answers.filter((answer) => answer.status === 200);
  const lost = answers.filter((answer) => answer.status !== 200);
  expect(new Set(won.map((answer) => answer.body.carNumber)).size).toBe(4);
  expect(won).toHaveLength(4);
  for (const answer of lost) expect(answer).toMatchObject({ status: 409, body: { code: 'NO_AVAILABILITY' } });
}

/** Registrations and bookings at once want the three cars of product 302 in one hour: each car has one taker. */
async function mixedRace(sandbox: TestSandbox): Promise<void> {
  const client = sandboxClient(sandbox);
  const period = client.nextPeriod();
  const registration = (carId: number) => ({
    key: keys.supplier,
    body: { carId, startDateTimeStr: period.startAt, endDateTimeStr: period.endAt, reason: '점검' },
  });
  const [booked, registered] = await Promise.all([
    Promise.all(Array.from({ length: 12 }, () => client.book({ productId: 302, ...period }))),
    Promise.all(
      Array.from({ length: 24 }, (_each, n) =>
        client.call('POST', '/schedule', registration(2001 + (n % 3))),
      ),
    ),
  ]);
  const won = [...booked, ...registered].filter(({ status }) => status === 200);
  expect(won).toHaveLength(3);
  const codes = (answers: { status: number; body: { code: string } }[]) =>
    new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code));
  expect([...codes(booked)]).toEqual(['NO_AVAILABILITY']);
  expect([...codes(registered)]).toEqual(['E011']);
}

/** Sixteen schedules of one car are all moved to the same hour: one gets there. */
async function editRace(sandbox: TestSandbox): Promise<void> {
  const client = sandboxClient(sandbox);
  const body = () => {
    const { startAt, endAt } = client.nextPeriod();
    return { carId: 1001, startDateTimeStr: startAt, endDateTimeStr: endAt, reason: '점검' };
  };
  const made = [];
  for (let n = 0; n < 16; n++)
    made.push((await client.call('POST', '/schedule', { key: keys.supplier, body: body() })).body.scheduleId);
  const wanted = body();
  const answers = await Promise.all(
    made.map((id) => client.call('PUT', `/schedule/${id}`, { key: keys.supplier, body: wanted })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(answer).toMatchObject({ status: 409, body: { code: 'E011' } });
}

async function onEmbedded(test: (sandbox: TestSandbox) => Promise<void>): Promise<void> {
  await withSandbox({ folder: await copyOfTemplate() }, test);
}

async function onPostgres(test: (sandbox: TestSandbox) => Promise<void>): Promise<void> {
  const { url: databaseUrl, drop } = await createOnServer(server ?? '');
  try {
    await withSandbox({ databaseUrl }, test);
  } finally {
    await drop();
  }
}

describe('Schedule rule 4: racing bookings never share a car', () => {
  it('on PGlite: four of 32 win, the rest get NO_AVAILABILITY', () => onEmbedded(race));
  it.skipIf(server === undefined)('on Postgres: four of 32 win, the rest get NO_AVAILABILITY', () =>
    onPostgres(race),
  );
});

describe('Schedule rule 1: racing schedules never share a car', () => {
  it('on PGlite, where registrations and bookings race', () => onEmbedded(mixedRace));
  it('on PGlite, where edits race', () => onEmbedded(editRace));
  it.skipIf(server === undefined)('on Postgres, where registrations and bookings race', () =>
    onPostgres(mixedRace),
  );
  it.skipIf(server === undefined)('on Postgres, where edits race', () => onPostgres(editRace));
});

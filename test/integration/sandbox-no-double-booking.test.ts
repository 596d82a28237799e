import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { sandboxClient } from '../support/sandbox-client.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;

/** A new database on the test server, and the way to drop it. */
async function newDatabase(url: string) {
  const name = `sandbox_test_${randomUUID().replaceAll('-', '')}`;
  const admin = async (statement: string) => {
    const connection = new pg.Client({ connectionString: url });
    await connection.connect();
    await connection.query(statement);
    await connection.end();
  };
  await admin(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { databaseUrl: own.href, drop: () => admin(`drop database ${name} with (force)`) };
}

async function withSandbox(databaseUrl: string | undefined, test: (sandbox: TestSandbox) => Promise<void>) {
  const sandbox = await startTestSandbox({ databaseUrl });
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

describe('Schedule rule 4: racing bookings never share a car', () => {
  it('on PGlite: four of 32 win, the rest are told NO_AVAILABILITY', () => withSandbox(undefined, race));

  it.skipIf(server === undefined)('on Postgres: the same', async () => {
    const { databaseUrl, drop } = await newDatabase(server ?? '');
    try {
      await withSandbox(databaseUrl, race);
    } finally {
      await drop();
    }
  });
});

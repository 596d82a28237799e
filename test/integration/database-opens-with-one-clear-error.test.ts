import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { onEveryDatabase } from '../support/database.js';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-open-'));
});
afterEach(async () => {
  await rm(parent, { recursive: true, force: true });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a database that cannot be opened', () => {
  it('a data folder below a file gives one error that states what to do', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openHandoverDatabase({ folder: join(parent, 'file', 'db') })).rejects.toMatchObject({
      code: 'DATA_FOLDER_UNWRITABLE',
      message: expect.stringContaining('HANDOVER_DATA_DIR'),
    });
  });

  it.skipIf(process.getuid?.() === 0)('an unwritable folder gives one error', async () => {
    await chmod(parent, 0o500);
    await expect(openHandoverDatabase({ folder: join(parent, 'db') })).rejects.toMatchObject({
      code: 'DATA_FOLDER_UNWRITABLE',
    });
  });

  it('a server that does not answer gives one error, and its password stays out of it', async () => {
    const url = `postgres://someone:hunter2@127.0.0.1:${await unusedPort()}/handover?password=hunter3`;
    const error = await openHandoverDatabase({ url, folder: '' }).then(
      () => null,
      (cause: Error) => cause,
    );
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    expect(error?.message).toContain('ECONNREFUSED');
    expect(error?.message).toContain('someone:***@127.0.0.1');
    expect(error?.message).not.toMatch(/hunter/);
  });
});

onEveryDatabase('a database of another make', (lane) => {
  it('gives one error with the code of the problem', async () => {
    const { db, close } = await lane.open();
    await db.execute(sql`drop schema drizzle cascade`);
    await close();
    await expect(lane.open()).rejects.toMatchObject({
      code: 'DATABASE_NOT_MIGRATED',
      message: expect.stringContaining('42P07'), // the table exists already
    });
  });
});

onEveryDatabase('a database that opens', (lane) => {
  it('is up to date, and stays so when it is opened again', async () => {
    for (let time = 0; time < 2; time++) {
      const { db, close } = await lane.open();
      const rows = await db.execute(sql`select count(*)::int as n from inbox`);
      expect((rows as unknown as { rows: { n: number }[] }).rows).toEqual([{ n: 0 }]);
      await close();
    }
  });
});

const url = process.env.HANDOVER_TEST_DATABASE_URL;
onEveryDatabase('two processes that start together', (lane) => {
  it.skipIf(url === undefined)('bring one server up to date without colliding', async (context) => {
    const first = await lane.open();
    if (first.kind !== 'postgres') {
      await first.close();
      return context.skip('an embedded database serves one process');
    }
    await first.db.execute(
      sql`drop schema public cascade; create schema public; drop schema drizzle cascade`,
    );
    await first.close();
    const together = await Promise.all(Array.from({ length: 4 }, () => lane.open()));
    for (const { close } of together) await close();
  });
});

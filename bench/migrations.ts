// npm run bench -- migrations [--rows 1000000]: how long writers wait while a new release brings the tables of 0.3.0 up to date, with a
// million callbacks and timeline entries, on the Postgres of HANDOVER_TEST_DATABASE_URL.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/store/connection/open.js';
import { openHandoverDatabase } from '../src/store/handover.js';
import { counter } from './count.js';
import { fillTables, migrationsOfRelease } from './migrations/release.js';
import { Writers } from './migrations/writers.js';
import { databaseServer, withDatabase } from './own-database.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const usage = 'npm run bench -- migrations [--rows 1000000]';

endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { rows: { type: 'string', default: '1000000' } },
  });
  const rows = counter(usage)('rows', values.rows, 100);
  await withDatabase(databaseServer('this bench'), 'migrations', (url) => measure(url, rows));
});
process.exit();

async function measure(url: string, rows: number): Promise<void> {
  const migrations = await migrationsOfRelease();
  await (await openDatabase({ url, folder: '', tables: {}, migrations })).close();
  await rm(migrations, { recursive: true });
  await fillTables(url, rows);
  const writers = await Writers.start(url);
  const calm = await writers.longestWithin(5_000);
  const began = performance.now();
  const longest = await writers.longestWhile(async () => {
    await (await openHandoverDatabase({ url, folder: '' })).close();
  });
  const seconds = (performance.now() - began) / 1_000;
  await writers.stop();
  console.log(
    `${rows} callbacks and timeline entries, from the tables of 0.3.0 to these: ${seconds.toFixed(1)} s`,
  );
  for (const [table, ms] of Object.entries(longest))
    console.log(`longest insert into ${table}: ${ms.toFixed(0)} ms (before: ${calm[table]?.toFixed(0)} ms)`);
}

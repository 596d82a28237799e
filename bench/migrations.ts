// npm run bench -- migrations [rows]: how long writers wait while a new release brings the tables of 0.3.0 up to date, with a
// million callbacks and timeline entries, on the Postgres of HANDOVER_TEST_DATABASE_URL.
import { rm } from 'node:fs/promises';
import { openDatabase } from '../src/store/connection/open.js';
import { openHandoverDatabase } from '../src/store/handover.js';
import { fillTables, migrationsOfRelease } from './migrations/release.js';
import { Writers } from './migrations/writers.js';
import { withDatabase } from './own-database.js';
import { runBench } from './run.js';

const rows = Number(process.argv[3] ?? 1_000_000);
const server = process.env.HANDOVER_TEST_DATABASE_URL;

await runBench(async () => {
  if (server === undefined) throw new Error('HANDOVER_TEST_DATABASE_URL names no server');
  await withDatabase(server, 'migrations', measure);
});
process.exit();

async function measure(url: string): Promise<void> {
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

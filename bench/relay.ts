// npm run bench -- relay [--events 20000] [--workers 1,2,4] [--answer 20] [--rounds 3]: how many waiting callbacks a second
// the relays of one, two, … workers bring to the engine, on the Postgres of HANDOVER_TEST_DATABASE_URL. The engine is a stub
// that answers after `--answer` milliseconds; with TEMPORAL_ADDRESS it is that server, where no worker runs.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { counter } from './count.js';
import { benchFolder } from './folder.js';
import { machineLine } from './machine.js';
import { databaseServer, withDatabase } from './own-database.js';
import { drainOnce } from './relay/drain.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const usage = 'npm run bench -- relay [--events 20000] [--workers 1,2,4] [--answer 20] [--rounds 3]';

endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      events: { type: 'string', default: '20000' },
      workers: { type: 'string', default: '1,2,4' },
      answer: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const count = counter(usage);
  await bench({
    events: count('events', values.events, 4),
    workers: values.workers.split(',').map((text) => count('workers', text, 1)),
    answerMs: count('answer', values.answer, 0),
    rounds: count('rounds', values.rounds, 1),
  });
});
process.exit();

interface Plan {
  events: number;
  workers: number[];
  answerMs: number;
  rounds: number;
}

async function bench({ events, workers, answerMs, rounds }: Plan): Promise<void> {
  const server = databaseServer('this bench');
  console.log(machineLine());
  const engine = process.env.TEMPORAL_ADDRESS ?? `a stub that answers after ${answerMs} ms`;
  console.log(`${events} waiting callbacks, four of each reservation; engine: ${engine}`);
  const folder = await benchFolder('relay');
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const relays of workers) {
        // both programs add to the name of the database, and reservations of a server are those of one drain alone
        const seconds = await withDatabase(server, 'relay', (url) =>
          drainOnce({ url, events, relays, answerMs, folder }),
        );
        console.log(
          `round ${round}, ${relays} workers: ${Math.round(events / seconds)}/s (${seconds.toFixed(1)} s)`,
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

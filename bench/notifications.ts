// npm run bench -- notifications [--rounds 4] [--json]: what notifying of changes costs the commits of Postgres, on the server
// of HANDOVER_TEST_DATABASE_URL. The product does not run: several workers record steps of reservations, as they do there.
import { parseArgs } from 'node:util';
import { counter } from './count.js';
import { machineLine } from './machine.js';
import { measureNotifications, type NotificationFigures } from './notifications/measure.js';
import { databaseServer, settingsOf, withDatabase } from './own-database.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { median, rounded } from './statistics.js';

const usage = 'npm run bench -- notifications [--rounds 4] [--json]';

endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { rounds: { type: 'string', default: '4' }, json: { type: 'boolean', default: false } },
  });
  const rounds = counter(usage)('rounds', values.rounds, 1);
  const all = await bench(rounds, values.json ? console.error : console.log);
  if (values.json) console.log(JSON.stringify(all, null, 2));
});

async function bench(rounds: number, print: (line: string) => void): Promise<NotificationFigures[]> {
  const server = databaseServer('this bench');
  const { version, fsync } = await settingsOf(server);
  print(`${machineLine()}, Postgres ${version}, fsync ${fsync}`);
  const all = await withDatabase(server, 'notifications', (url) =>
    measureNotifications(url, rounds, (figures) => print(lineOf(figures))),
  );
  for (const workers of new Set(all.map((one) => one.workers))) {
    const rate = (isNotifying: boolean) => {
      const same = all.filter((one) => one.workers === workers && one.isNotifying === isNotifying);
      return median(same.map((one) => one.stepsPerSecond));
    };
    const share = rounded(rate(true) / rate(false), 2);
    print(`${workers} workers: notifying has ${share} of the silent rate (medians)`);
  }
  return all;
}

function lineOf({ workers, isNotifying, stepsPerSecond, stepMs, notified }: NotificationFigures): string {
  return (
    `  ${workers} workers, ${isNotifying ? 'notifying' : 'silent   '}: ${stepsPerSecond} steps/s, ` +
    `p50 / p99 ${stepMs.p50} / ${stepMs.p99} ms, changes of ${notified} reservations received`
  );
}

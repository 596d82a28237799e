// npm run bench -- reconciliation [--fleet city]: reads the platform's schedule and compares it with all open reservations, in
// fleets of 500 and 10,000 cars. Sandbox and engine run in processes of their own, so the measured memory is that of the
// worker with its embedded database.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFolder } from './folder.js';
import { machineLine } from './machine.js';
import { measureReconciliation } from './reconciliation/measure.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const fleets = ['city', 'chain'] as const;
const root = await benchFolder('reconciliation');
endOnSignal();
await runBench(async () => {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { fleet: { type: 'string' } } });
  const wanted = fleets.filter((fleet) => values.fleet === undefined || values.fleet === fleet);
  if (wanted.length === 0) throw new Error(`--fleet is ${fleets.join(' or ')}, not ${values.fleet}`);
  console.log(machineLine());
  for (const fleet of wanted) {
    for await (const line of measureReconciliation(fleet, join(root, randomUUID()))) console.log(line);
  }
});
await rm(root, { recursive: true, force: true });
process.exit();

// npm run bench -- reconciliation [city]: reads the platform's schedule and compares it with all open reservations, in
// fleets of 500 and 10,000 cars. Sandbox and engine run in processes of their own, so the measured memory is that of the
// worker with its embedded database.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureReconciliation } from './reconciliation/measure.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';

const root = await mkdtemp(join(tmpdir(), 'handover-bench-reconciliation-'));
endOnSignal();
await runBench(async () => {
  console.log(
    `load of the machine before: ${loadavg()
      .map((load) => load.toFixed(2))
      .join(', ')}`,
  );
  const wanted = process.argv[3];
  for (const fleet of ['city', 'chain'] as const) {
    if (wanted !== undefined && wanted !== fleet) continue;
    for await (const line of measureReconciliation(fleet, join(root, randomUUID()))) console.log(line);
  }
});
await rm(root, { recursive: true, force: true });
process.exit();

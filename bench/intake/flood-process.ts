// The attackers in a process of their own. Argument: an `Attack` as JSON. It prints a line when it has reached the
// receiver's limits, and continues until SIGTERM.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, Attackers } from './attack.js';

const attackers = new Attackers(JSON.parse(process.argv[2] ?? '') as Attack);
process.once('SIGTERM', () => {
  attackers.stop();
  process.exit(0);
});
while (!attackers.isFull) await sleep(50);
process.stdout.write('{}\n');
setInterval(() => {}, 60_000);

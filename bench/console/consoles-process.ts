// Consoles without a browser. Argument: a `ConsoleLoad` as JSON. It prints a line once all streams are open, and at SIGTERM
// its `ConsoleFigures`. Browsers run on machines of their own: where there is too little CPU, these give way to what is measured.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ConsoleFigures, ConsoleLoad } from './consoles.js';

const { url, boardUrl, token, consoles } = JSON.parse(process.argv[2] ?? '') as ConsoleLoad;
setPriority(10);
const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
/** As in the console (state/resource.ts). */
const readEveryMs = 250;
const [timesOfReading, slowestEveryMs] = [4, 2_000];
const concerns = /^event: (?:reservation|alert|claim|reset)$/gm;
const figures: ConsoleFigures = { events: 0, reads: 0, failed: 0, lost: 0 };

async function open(): Promise<void> {
  const dispatcher = new Agent({ connections: 2, bodyTimeout: 0 });
  const stream = await request(`${url}/api/changes`, { headers, dispatcher });
  if (stream.statusCode !== 200) throw new Error(`a stream was answered ${stream.statusCode}`);
  let [isReading, isWanted] = [false, false];
  const refresh = async () => {
    isWanted = true;
    if (isReading) return;
    isReading = true;
    while (isWanted) {
      isWanted = false;
      const began = performance.now();
      const { statusCode, body } = await request(`${boardUrl}/api/board`, { headers, dispatcher });
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      figures.reads += 1;
      if (statusCode !== 200) figures.failed += 1;
      const tookMs = performance.now() - began;
      const everyMs = Math.max(readEveryMs, Math.min(timesOfReading * tookMs, slowestEveryMs));
      await sleep(Math.max(0, everyMs * (1 + Math.random() / 2) - tookMs));
    }
    isReading = false;
  };
  await refresh();
  void (async () => {
    for await (const chunk of stream.body) {
      const events = String(chunk).match(concerns)?.length ?? 0;
      figures.events += events;
      if (events > 0) void refresh();
    }
    figures.lost += 1;
  })().catch(() => {
    figures.lost += 1;
  });
}

await Promise.all(Array.from({ length: consoles }, open));
process.stdout.write('open\n');
process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
});
// a Ctrl-C reaches the whole process group, but the bench ends this process
process.on('SIGINT', () => {});

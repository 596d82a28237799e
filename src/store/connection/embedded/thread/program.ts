// An embedded database in a thread of its own; `start.ts` starts it. Each of its messages is a port to serve, the first its owner's.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedOptions } from '../client.js';
import { openPglite } from '../pglite.js';
import type { OwnerCalls } from './calls.js';
import { serve } from './serve.js';

if (parentPort === null) throw new Error('this program is a thread');

let owner: OwnerCalls | undefined;
// a port hands over all its messages before another one: with a turn of the event loop between two statements each port has its share
const opening = openPglite(
  workerData as EmbeddedOptions,
  (channel, payload) => owner?.notified(channel, payload),
  () => nextTurn(),
);
opening.then(
  async ({ ended }) => {
    await ended;
    owner?.ended();
  },
  () => {}, // the owner asks whether it is open
);
let ports = 0;
parentPort.on('message', (port: MessagePort) => {
  ports += 1;
  const calls = serve(port, opening, () => ports > 1);
  owner ??= calls;
});

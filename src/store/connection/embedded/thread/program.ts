// An embedded database in a thread of its own; `open.ts` starts it. Each of its messages is a port to serve, the first its owner's.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedPlace } from '../client.js';
import { openPglite } from '../pglite.js';
import type { OwnerCalls } from './calls.js';
import { serve } from './serve.js';

if (parentPort === null) throw new Error('this program is a thread');

let owner: OwnerCalls | undefined;
const opening = openPglite(workerData as EmbeddedPlace, {
  onNotification: (channel, payload) => owner?.notified(channel, payload),
});
opening.then(
  async ({ ended }) => {
    await ended;
    owner?.ended();
  },
  () => {}, // the owner asks whether it is open
);
parentPort.on('message', (port: MessagePort) => {
  const calls = serve(port, opening);
  owner ??= calls;
});

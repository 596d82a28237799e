import type { Config } from '../config.js';
import type { HandoverDb } from '../db/handover.js';
import type { Logger } from '../log.js';
import { openReceiver } from '../outbox/deliver.js';
import { OutboxSender } from '../outbox/sender.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Stack } from './stack.js';

const timeoutMs = 10_000;
const connections = 4;

/**
 * Starts sending alerts to ALERT_URL, where that is set (and its secret with it: each command sees to that). Stopped: what
 * was not taken waits for the next start.
 */
export async function startOutboxPart(
  { url, secret }: Config['alerts'],
  stack: Stack,
  { db, sealer, log }: { db: HandoverDb; sealer: Sealer; log: Logger },
): Promise<void> {
  if (url === undefined || secret === undefined) return;
  const { sender } = await stack.start(
    'sender of alerts',
    async () => {
      const receiver = openReceiver({ url, secret, timeoutMs, connections });
      return { receiver, sender: new OutboxSender({ db, receiver, sealer, log, concurrency: connections }) };
    },
    async ({ receiver, sender }) => {
      await sender.stop();
      await receiver.close();
    },
  );
  sender.start();
}

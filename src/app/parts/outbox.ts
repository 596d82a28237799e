import { withConsoleAddress } from '../../outbox/console-address.js';
import { openReceiver } from '../../outbox/deliver.js';
import { OutboxSender } from '../../outbox/sender.js';
import type { HandoverDb } from '../../store/handover.js';
import type { Destination } from '../../store/schema.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Config } from '../config/index.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';

const timeoutMs = 10_000;
/** Forwarded events are more frequent than alerts, and their receiver waits for them. */
const paces: Readonly<Record<Destination, { connections: number; pollMs: number }>> = {
  alerts: { connections: 4, pollMs: 500 },
  forward: { connections: 8, pollMs: 100 },
};

/**
 * Starts sending what waits in the outbox: alerts to ALERT_URL, accepted callbacks to FORWARD_URL, each where it is set
 * (each command requires its secret with it), and by a sender of its own, so that no receiver delays the other's posts
 * (F74). After a stop, posts that no receiver accepted wait for the next start.
 */
export async function startOutboxPart(
  { alerts, forward, consoleUrl }: Pick<Config, 'alerts' | 'forward' | 'consoleUrl'>,
  stack: Stack,
  { db, sealer, log }: { db: HandoverDb; sealer: Sealer; log: Logger },
): Promise<void> {
  for (const [destination, { url, secret }] of Object.entries({ alerts, forward })) {
    if (url === undefined || secret === undefined) continue;
    const address = { url, secret, ...(destination === 'alerts' && { consoleUrl }) };
    await startSender(destination as Destination, address, stack, { db, sealer, log });
  }
}

async function startSender(
  destination: Destination,
  { consoleUrl, ...address }: { url: string; secret: string; consoleUrl?: string | undefined },
  stack: Stack,
  shared: { db: HandoverDb; sealer: Sealer; log: Logger },
): Promise<void> {
  const { connections, pollMs } = paces[destination];
  const { sender } = await stack.start(
    `sender of ${destination === 'alerts' ? 'alerts' : 'forwarded callbacks'}`,
    async () => {
      const plain = openReceiver({ ...address, timeoutMs, connections });
      const receiver = consoleUrl === undefined ? plain : withConsoleAddress(plain, consoleUrl);
      const sender = new OutboxSender({ ...shared, destination, receiver, concurrency: connections, pollMs });
      return { receiver, sender };
    },
    async ({ receiver, sender }) => {
      await sender.stop();
      await receiver.close();
    },
  );
  sender.start();
}

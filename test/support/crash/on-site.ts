import { expect } from 'vitest';
import type { CallbackKind } from '../../../src/platform/model.js';
import { startReceiver } from '../callback-receiver.js';
import { callbackSecret, wire } from '../callbacks.js';
import { startTestSandbox } from '../sandbox.js';
import type { Delivery } from './deliveries.js';
import { expectAllEffects } from './effects.js';
import { Rentals } from './rentals.js';
import { Sender } from './sender.js';
import type { Site } from './sites.js';

/** What disturbs a site has these. */
interface Scene<S extends Site> {
  site: S;
  sender: Sender;
  rentals: Rentals;
}

/**
 * A site beside a platform of its own, with callbacks and whole rentals while it is disturbed; in the end nothing of them is
 * lost, and nothing happened twice.
 * @param disturb resolves with the callbacks that it has sent, in their order
 */
export async function onSite<S extends Site>(
  start: (platformUrl: string) => Promise<S>,
  disturb: (scene: Scene<S>) => Promise<readonly Delivery[]>,
): Promise<void> {
  // the sandbox's own callbacks go the way of all: they are sent until the product has acknowledged them
  let onCallback: (path: string, webhookId: string, body: string) => void = () => {};
  const receiver = await startReceiver(({ path, headers, raw }) => {
    onCallback(path, String(headers['webhook-id']), raw);
    return 204;
  });
  const sandbox = await startTestSandbox({ callback: { url: receiver.url, secret: callbackSecret } });
  let sender: Sender | undefined;
  let site: S | undefined;
  try {
    site = await start(sandbox.url);
    const { address } = site;
    const sending = new Sender({ address, secret: callbackSecret });
    sender = sending;
    onCallback = (path, webhookId, body) => {
      const { reservationId } = JSON.parse(body);
      void sending.sendAtOnce({ webhookId, kind: kindOf(path), path, reservationId, body });
    };
    const rentals = new Rentals(sandbox, address);
    const deliveries = await disturb({ site, sender: sending, rentals });
    await sending.done();
    const outage = `nothing was accepted for ${Math.round(sending.longestOutageMs)} ms at most`;
    console.info(`${sending.acknowledged.size} acknowledged, ${sending.failed} attempts were not; ${outage}`);
    if (sending.failed > 0) expect(sending.longestOutageMs).toBeGreaterThan(0);
    await expectAllEffects(site, sending, deliveries, rentals);
  } finally {
    sender?.stop();
    site?.stop();
    await sandbox.dispose();
    await receiver.close();
  }
}

const kindOf = (path: string) =>
  Object.entries(wire.paths).find(([, known]) => known === path)?.[0] as CallbackKind;

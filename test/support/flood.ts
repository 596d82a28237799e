import { request } from 'undici';
import { type Attack, Attackers } from '../../bench/intake/attack.js';
import type { HttpLimits } from '../../src/api/http/limits.js';
import { TrustedSenders } from '../../src/api/http/trusted-senders.js';
import { type ReceiverOptions, receiver } from '../../src/inbox/receive/receiver.js';
import { startApi } from './api.js';
import { aReservation, callbackSecret, pathOf, reservationBody, signedHeaders, wire } from './callbacks.js';
import { eventually } from './eventually.js';
import { contentHashes } from './intake.js';

export interface Flood {
  attack: Omit<Attack, 'url' | 'path'>;
  /** Signed callbacks sent meanwhile. */
  callbacks: number;
  http?: Partial<HttpLimits>;
  receiver?: ReceiverOptions['limits'];
}

/** Sends signed callbacks to a receiver under attack. @returns their answers by status, or code of a failed connection */
export async function underAttack({ attack, callbacks, ...limits }: Flood): Promise<Record<string, number>> {
  const stored = new Set<string>();
  const trusted = new TrustedSenders({ allow: [], proxies: [] });
  const api = await startApi({
    trusted,
    limits: limits.http ?? {},
    intake: (app) =>
      receiver(app, {
        wire,
        contentHashes,
        senders: trusted,
        inbox: { store: async ({ eventId }) => void stored.add(eventId), isFull: () => false },
        authentication: { auth: 'standard-webhooks', secrets: [callbackSecret] },
        ...(limits.receiver !== undefined && { limits: limits.receiver }),
      }),
  });
  const path = pathOf('registration');
  const attackers = new Attackers({ ...attack, url: api.url, path });
  try {
    await eventually('the attack is under way', () => attackers.isFull, 60_000);
    const answers: Record<string, number> = {};
    let next = 0;
    const lane = async () => {
      while (next < callbacks) {
        const body = reservationBody('registration', aReservation(++next));
        const answer = await request(`${api.url}${path}`, {
          method: 'POST',
          body,
          headers: signedHeaders(body),
          reset: next % 2 === 0,
        }).then(
          async (answered) => {
            await answered.body.dump();
            return answered.statusCode;
          },
          (error: { code?: string }) => error.code ?? 'failed',
        );
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    if (stored.size !== (answers[204] ?? 0)) throw new Error('what is acknowledged is stored');
    return answers;
  } finally {
    attackers.stop();
    await api.close();
  }
}

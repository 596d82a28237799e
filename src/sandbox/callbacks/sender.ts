import { Webhook } from 'standardwebhooks';
import { Pool } from 'undici';
import type { CallbackTarget } from '../context.js';

interface SendResult {
  /** Any 2xx in time (G33). */
  acknowledged: boolean;
  status: number | null;
  /** In a word, for the journal: `acknowledged`, `answered 500`, `timeout`, or the socket's error code. */
  outcome: string;
}

export interface Sender {
  send(message: { webhookId: string; path: string; payload: string }): Promise<SendResult>;
  close(): Promise<void>;
}

/**
 * Sends callbacks to one receiver, signed by Standard Webhooks (G32) at the moment of sending, in real time (G34).
 * @param withinMs how long the receiver has to answer (G33)
 */
export function openSender(target: CallbackTarget, withinMs: number, connections: number): Sender {
  const base = new URL(target.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, { connections, pipelining: 1 });
  const webhook = target.secret === undefined ? null : new Webhook(target.secret);

  function signature(webhookId: string, payload: string): Record<string, string> {
    if (!webhook) return { 'webhook-id': webhookId };
    const now = new Date();
    return {
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(webhookId, now, payload),
    };
  }

  return {
    async send({ webhookId, path, payload }) {
      try {
        const answer = await pool.request({
          method: 'POST',
          path: prefix + path,
          headers: { 'content-type': 'application/json', ...signature(webhookId, payload) },
          body: payload,
          signal: AbortSignal.timeout(withinMs),
        });
        const status = answer.statusCode;
        const acknowledged = status >= 200 && status < 300;
        await answer.body.dump().catch(() => {}); // the status has said it all
        return { acknowledged, status, outcome: acknowledged ? 'acknowledged' : `answered ${status}` };
      } catch (error) {
        const { name, code } = error as { name?: string; code?: string };
        return {
          acknowledged: false,
          status: null,
          outcome: name === 'TimeoutError' ? 'timeout' : (code ?? 'broken'),
        };
      }
    },
    close: () => pool.destroy(),
  };
}

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { Pool } from 'undici';
import type { CallbackTarget } from './target.js';

export interface SendResult {
  /** Any 2xx in time (G33). */
  acknowledged: boolean;
  status: number | null;
  /** For the journal: `acknowledged`, `answered 500`, `timeout`, or the socket's error code. */
  outcome: string;
  /** The receiver's answer, cut at 64 KiB. */
  answer: string | null;
}

export interface Letter {
  webhookId: string;
  path: string;
  payload: string;
  /** What the signature covers where that is not the payload. */
  signedPayload?: string;
  /** Whose signature: the receiver's own secret, another one, or none at all. */
  signer?: 'right' | 'wrong' | 'none';
  /** The second half of the body comes so much later, in real milliseconds. */
  slowMs?: number;
}

export interface Sender {
  send(letter: Letter): Promise<SendResult>;
  close(): Promise<void>;
}

const answerLimit = 64 * 1024;
/** A secret that no receiver has: its signatures are valid nowhere. */
const stranger = new Webhook(`whsec_${Buffer.from('a stranger that no receiver knows').toString('base64')}`);

/**
 * Sends callbacks to one receiver, signed by Standard Webhooks (G32) at the moment of sending, in real time (G34).
 * @param withinMs how long the receiver has to answer (G33)
 */
export function openSender(target: CallbackTarget, withinMs: number, connections: number): Sender {
  const base = new URL(target.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, { connections, pipelining: 1 });
  const own = target.secret === undefined ? null : new Webhook(target.secret);
  const signers = { right: own, wrong: stranger, none: null };

  function signatureHeaders({ webhookId, payload, signedPayload = payload, signer = 'right' }: Letter) {
    const webhook = signers[signer];
    if (!webhook) return { 'webhook-id': webhookId };
    const now = new Date();
    return {
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(webhookId, now, signedPayload),
    };
  }

  return {
    async send(letter) {
      const { path, payload, slowMs = 0 } = letter;
      const body = Buffer.from(payload);
      try {
        const answer = await pool.request({
          method: 'POST',
          path: prefix + path,
          headers: {
            'content-type': 'application/json',
            'content-length': String(body.length),
            ...signatureHeaders(letter),
          },
          body: slowMs > 0 ? Readable.from(inHalves(body, slowMs)) : body,
          signal: AbortSignal.timeout(withinMs + slowMs),
        });
        const status = answer.statusCode;
        const acknowledged = status >= 200 && status < 300;
        const text = await readBeginning(answer.body).catch(() => null); // the status decides
        const outcome = acknowledged ? 'acknowledged' : `answered ${status}`;
        return { acknowledged, status, outcome, answer: text };
      } catch (error) {
        const { name, code } = error as { name?: string; code?: string };
        const outcome = name === 'TimeoutError' ? 'timeout' : (code ?? 'broken');
        return { acknowledged: false, status: null, outcome, answer: null };
      }
    },
    close: () => pool.destroy(),
  };
}

async function* inHalves(body: Buffer, ms: number) {
  const middle = body.length >> 1;
  yield body.subarray(0, middle);
  await sleep(ms);
  yield body.subarray(middle);
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= answerLimit) break;
  }
  return size === 0 ? null : Buffer.concat(chunks).toString();
}

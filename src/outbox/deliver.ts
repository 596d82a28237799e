import { Agent, type Dispatcher, request } from 'undici';
import { webhookSignature } from './webhook-signature.js';

/** One message to a receiver. */
interface Message {
  /** The same for every attempt (`webhook-id`): by it the receiver recognises a repeat. */
  messageId: string;
  /** Path below the receiver's address; empty for the address itself. */
  path: string;
  body: Uint8Array;
  /** Headers that describe the body; absent: it is plain JSON. */
  headers?: Readonly<Record<string, string>>;
}

/** `accepted`: any 2xx came in time; else why not, as a code without the address. */
export type Delivery = { accepted: true } | { accepted: false; code: string };

export interface Receiver {
  /** Never throws. @param signal aborts the attempt */
  deliver(message: Message, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Absolute, without a trailing slash. */
  url: string;
  /** `whsec_` and the base64 of the key (Standard Webhooks). */
  secret: string;
  /** For one whole attempt. */
  timeoutMs: number;
  connections: number;
}

/** How much of an answer is read so that its connection can be used again. */
const answerLimit = 16 * 1024;

/**
 * A receiver of signed posts (Standard Webhooks: `webhook-id`, `webhook-timestamp` in real time, `webhook-signature`).
 * Each attempt is signed again; redirects are not followed.
 */
export function openReceiver({ url, secret, timeoutMs, connections }: ReceiverOptions): Receiver {
  const agent = new Agent({ connections, pipelining: 1, connect: { timeout: timeoutMs } });

  async function deliver(message: Message, signal: AbortSignal): Promise<Delivery> {
    const { messageId, path, body, headers = { 'content-type': 'application/json' } } = message;
    const timestamp = String(Math.floor(Date.now() / 1000));
    // in Node 20 `AbortSignal.timeout` within `AbortSignal.any` is garbage: once collected, it never fires
    const limit = new AbortController();
    const clock = setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), timeoutMs);
    const signature = webhookSignature(secret, { id: messageId, timestamp, raw: body });
    try {
      const answer = await request(url + path, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          ...headers,
          'user-agent': 'handover',
          'webhook-id': messageId,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        signal: AbortSignal.any([signal, limit.signal]),
      });
      return await outcomeOf(answer);
    } catch (error) {
      return { accepted: false, code: codeOf(error) };
    } finally {
      clearTimeout(clock);
    }
  }

  return { deliver, close: () => agent.destroy() };
}

async function outcomeOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Delivery> {
  await body.dump({ limit: answerLimit }).catch(() => {}); // only the status matters
  if (statusCode >= 200 && statusCode < 300) return { accepted: true };
  return { accepted: false, code: `HTTP_${statusCode}` };
}

function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return 'TIMEOUT';
  if (name === 'AbortError') return 'GIVEN_UP';
  return typeof code === 'string' ? code : 'BROKEN';
}

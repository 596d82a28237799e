import { createHmac } from 'node:crypto';

/**
 * The signature of one message (Standard Webhooks), without its `v1,`: base64 of HMAC-SHA256 over id, time and bytes. The
 * `standardwebhooks` package signs and verifies only text, so a body that is no valid UTF-8 would be read wrongly; the
 * tests hold this function to the package's own signatures.
 * @param secret `whsec_` and base64; without the prefix, base64 alone
 * @param timestamp seconds since the epoch, as in the header
 */
export function webhookSignature(
  secret: string,
  { id, timestamp, raw }: { id: string; timestamp: string; raw: Uint8Array },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
}

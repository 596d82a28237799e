import type { Network } from '../../api/http/network.js';
import { createSenderOf, includes, listOf } from '../../api/http/sender.js';

/** Who may send callbacks. */
export interface SenderRules {
  /** Empty: any address. */
  allow: readonly Network[];
  /** Proxies in front of the receiver, whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[];
}

/**
 * Whether a request comes from an address that may send callbacks.
 * @param peer the other end of the connection
 * @param forwardedFor the header `X-Forwarded-For`, to which each proxy appended whom it served
 */
export type SenderCheck = (peer: string | undefined, forwardedFor: string | undefined) => boolean;

export function createSenderCheck({ allow, proxies }: SenderRules): SenderCheck {
  if (allow.length === 0) return () => true;
  const allowed = listOf(allow);
  const senderOf = createSenderOf(proxies);
  return (peer, forwardedFor) => {
    const sender = senderOf(peer, forwardedFor);
    return sender !== undefined && includes(allowed, sender);
  };
}

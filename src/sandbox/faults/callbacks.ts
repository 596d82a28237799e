import { z } from 'zod';
import { occasion, openPlan, type Plan } from './plan.js';

/** Up to a day of the platform's time. */
const virtualMs = z.int().min(0).max(86_400_000);

/** What a fault makes of a callback's first attempt; retries (G34) are sent as they should be. */
const effect = z.discriminatedUnion('kind', [
  /** Sent again `copies` times, one after the other: same `webhook-id`, same body. */
  z.strictObject({ kind: z.literal('duplicate'), copies: z.int().min(1).max(100).default(1) }),
  /** Held for so long by the platform's clock; what comes after it goes ahead. */
  z.strictObject({ kind: z.literal('delay'), ms: virtualMs }),
  /** Held for a time drawn from 0 to `windowMs`: callbacks within the window overtake each other. */
  z.strictObject({ kind: z.literal('reorder'), windowMs: virtualMs.min(1) }),
  /** Not sent. `retried`: only this attempt is lost, and the next follows in its time; else it never comes. */
  z.strictObject({ kind: z.literal('drop'), retried: z.boolean().default(false) }),
  /** The body is cut off somewhere. `signed`: the signature fits the cut body, else the whole one. */
  z.strictObject({ kind: z.literal('corrupt'), signed: z.boolean().default(false) }),
  /** The body's second half comes so many real milliseconds after the first. */
  z.strictObject({ kind: z.literal('slow'), ms: z.int().min(1).max(60_000) }),
  /** Signed with a key that the receiver does not know. */
  z.strictObject({ kind: z.literal('wrong-signer') }),
  /** Sent so many times in all, many at once: same `webhook-id`, same body. */
  z.strictObject({ kind: z.literal('storm'), times: z.int().min(2).max(1000).default(300) }),
]);

/** One callback fault. */
export const callbackFault = z.strictObject({
  event: z.enum(['registration', 'update', 'car', 'status', '*']),
  /** Callbacks that report this status. */
  status: z.int().exactOptional(),
  ...occasion,
  effect,
});
type CallbackFault = z.infer<typeof callbackFault>;
export type CallbackFaultEffect = CallbackFault['effect'];
export type CallbackFaults = Plan<CallbackFault>;

export const openCallbackFaults = (): CallbackFaults => openPlan((fault) => fault.event);

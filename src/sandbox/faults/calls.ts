import { z } from 'zod';
import { platformCodes } from '../../platform/errors.js';
import { anyText } from '../../platform/profiles/codecs/values.js';
import { occasion, openPlan, type Plan } from './plan.js';

const delay = z.int().min(0).max(600_000);

/** What a fault makes of a call. `applied`: whether the platform acts on the request before the fault shows. */
const effect = z.discriminatedUnion('kind', [
  /** A coded refusal, as the profile writes it; nothing is applied. */
  z.strictObject({
    kind: z.literal('refuse'),
    code: z.enum(platformCodes),
    retryAfterSeconds: z.int().min(0).exactOptional(),
  }),
  /** A bare HTTP status with an empty body, e.g. 503, or a redirect. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(300).max(599),
    applied: z.boolean(),
    retryAfterSeconds: z.int().min(0).exactOptional(),
  }),
  /** No answer: the connection stays open until the caller leaves. */
  z.strictObject({ kind: z.literal('hang'), applied: z.boolean() }),
  /** The connection is reset. */
  z.strictObject({ kind: z.literal('reset'), applied: z.boolean() }),
  /** Applied, and answered with a body that is no JSON. */
  z.strictObject({ kind: z.literal('broken-body') }),
  /** Applied and answered as usual, this many milliseconds later. */
  z.strictObject({ kind: z.literal('latency'), ms: delay }),
]);

/** One call fault. */
export const callFault = z.strictObject({
  operation: anyText.describe("an operation's name, or * for any"),
  ...occasion,
  effect,
});
type CallFault = z.infer<typeof callFault>;
export type FaultEffect = CallFault['effect'];
export type CallFaults = Plan<CallFault>;

export const openCallFaults = (): CallFaults => openPlan((fault) => fault.operation);

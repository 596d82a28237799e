import { z } from 'zod';
import { platformCodes } from '../../platform/errors.js';

const delay = z.int().min(0).max(600_000);

/** What a fault makes of a call. `applied`: whether the platform acts on the request before the fault shows. */
const effect = z.discriminatedUnion('kind', [
  /** A coded refusal, as the profile writes it; nothing is applied. */
  z.object({
    kind: z.literal('refuse'),
    code: z.enum(platformCodes),
    retryAfterSeconds: z.int().min(0).exactOptional(),
  }),
  /** A bare HTTP status with an empty body, e.g. 503, or a redirect. */
  z.object({ kind: z.literal('status'), status: z.int().min(300).max(599), applied: z.boolean() }),
  /** No answer: the connection stays open until the caller leaves. */
  z.object({ kind: z.literal('hang'), applied: z.boolean() }),
  /** The connection is reset. */
  z.object({ kind: z.literal('reset'), applied: z.boolean() }),
  /** Applied, and answered with a body that is no JSON. */
  z.object({ kind: z.literal('broken-body') }),
  /** Applied and answered as usual, this many milliseconds later. */
  z.object({ kind: z.literal('latency'), ms: delay }),
]);

/** One call fault: hits calls `nth` to `nth + times - 1` of the operation, counted from when it was set. */
export const callFault = z.object({
  operation: z.string().describe("an operation's name, or * for any"),
  reservationId: z.int().exactOptional(),
  nth: z.int().min(1).default(1),
  times: z.int().min(1).default(1),
  effect,
});
type CallFault = z.infer<typeof callFault>;
export type FaultEffect = CallFault['effect'];

export interface CallFaults {
  set(faults: readonly CallFault[]): void;
  list(): (CallFault & { calls: number })[];
  /** Counts a call and says what is to go wrong with it; the first fault that hits wins. */
  next(operation: string, reservationId: number | null): FaultEffect | null;
}

export function openCallFaults(): CallFaults {
  let faults: (CallFault & { calls: number })[] = [];
  return {
    set(next) {
      faults = next.map((fault) => ({ ...fault, calls: 0 }));
    },
    list: () => faults,
    next(operation, reservationId) {
      let hit: FaultEffect | null = null;
      for (const fault of faults) {
        if (fault.operation !== '*' && fault.operation !== operation) continue;
        if (fault.reservationId !== undefined && fault.reservationId !== reservationId) continue;
        fault.calls++;
        const { calls, nth, times } = fault;
        if (calls >= nth && calls < nth + times) hit ??= fault.effect;
      }
      return hit;
    },
  };
}

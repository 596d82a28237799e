import { z } from 'zod';
import type { Sandbox } from '../../context.js';
import { callbackFault } from '../../faults/callbacks.js';
import { callFault } from '../../faults/calls.js';
import { resolveOperation } from './operation-name.js';
import type { ControlScope } from './scope.js';

const plan = z.strictObject({
  /** Seed of everything that is left to chance: the same seed gives the same run. */
  seed: z.int().min(0).default(0),
  calls: z.array(callFault).max(100).default([]),
  callbacks: z.array(callbackFault).max(100).default([]),
});

/** The plan of faults. A new plan replaces the old one, and its counts begin at zero. */
export function registerFaults(scope: ControlScope, sandbox: Sandbox): void {
  const { faults, profile } = sandbox;
  let seed = 0;
  const viewOfPlan = () => ({ seed, calls: faults.calls.list(), callbacks: faults.callbacks.list() });

  function set(next: z.infer<typeof plan>): void {
    seed = next.seed;
    faults.calls.set(next.calls, seed);
    faults.callbacks.set(next.callbacks, seed);
  }

  scope.get('/faults', async () => viewOfPlan());
  scope.put('/faults', { schema: { body: plan } }, async ({ body }) => {
    const calls = body.calls.map((fault) => ({
      ...fault,
      operation:
        fault.operation === '*' ? '*' : resolveOperation(profile, fault.operation, 'calls.operation'),
    }));
    set({ ...body, calls });
    return viewOfPlan();
  });
  scope.delete('/faults', { config: { success: 204 } }, async (_request, reply) => {
    set({ seed: 0, calls: [], callbacks: [] });
    return reply.code(204).send();
  });
}

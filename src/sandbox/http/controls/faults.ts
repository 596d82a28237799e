import { z } from 'zod';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { callFault } from '../../faults/calls.js';
import type { ControlScope } from './index.js';

const plan = z.strictObject({ calls: z.array(callFault).max(100) });

/** What is to go wrong. A new plan replaces the old one, and its calls are counted from then on. */
export function registerFaults(scope: ControlScope, sandbox: Sandbox): void {
  const { faults, profile } = sandbox;
  const shown = () => ({ calls: faults.list() });

  scope.get('/faults', async () => shown());
  scope.put('/faults', { schema: { body: plan } }, async ({ body }) => {
    for (const { operation } of body.calls) {
      if (operation === '*' || operation in profile.operations) continue;
      const known = Object.keys(profile.operations).join(', ');
      throw new Refusal('INVALID_REQUEST', `calls.operation: expected * or one of ${known}`);
    }
    faults.set(body.calls);
    return shown();
  });
  scope.delete('/faults', async (_request, reply) => {
    faults.set([]);
    return reply.code(204).send();
  });
}

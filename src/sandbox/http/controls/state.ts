import { z } from 'zod';
import { reset, restore, snapshot } from '../../actions/state.js';
import type { Sandbox } from '../../context.js';
import { fleetNames } from '../../fleet/fleets.js';
import { iso, optionalBody } from './moment.js';
import type { ControlScope } from './scope.js';

const begin = z.strictObject({
  fleet: z.enum(fleetNames).default('small'),
  firstReservationId: z.int().positive().exactOptional(),
});
const named = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,30}$/, 'expected up to 30 of a-z, 0-9 and -')
    .default('default'),
});

/** Stores, restores and resets the sandbox's whole state. A body may be left out. */
export function registerState(scope: ControlScope, sandbox: Sandbox): void {
  const { clock } = sandbox;
  const now = () => iso(clock.now());

  scope.post('/reset', { schema: { body: optionalBody(begin) } }, async ({ body }) => {
    await reset(sandbox, body);
    return { fleet: body.fleet, now: now() };
  });
  scope.post('/snapshot', { schema: { body: optionalBody(named) } }, async ({ body }) => {
    await snapshot(sandbox, body.name);
    return { name: body.name, now: now() };
  });
  scope.post('/restore', { schema: { body: optionalBody(named) } }, async ({ body }) => {
    await restore(sandbox, body.name);
    return { name: body.name, now: now() };
  });
}

import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Sandbox } from '../../context.js';
import type { Authenticate } from '../caller.js';
import { registerCallbacks } from './callbacks.js';
import { registerClock } from './clock.js';
import { registerCustomer } from './customer.js';
import { registerFaults } from './faults.js';
import { registerJournal } from './journal.js';
import { registerState } from './state.js';
import { registerTruth } from './truth.js';
import { registerWebSite } from './web-site.js';

/** The sandbox's own controls (everything under `/sandbox`): no part of the platform's specification. */
export function registerControls(
  app: FastifyInstance,
  options: { sandbox: Sandbox; authenticate: Authenticate; controlsNeedKey: boolean },
): void {
  const { sandbox, authenticate, controlsNeedKey } = options;
  app.addHook('onRequest', async (request) => {
    if (controlsNeedKey || request.headers.authorization !== undefined) authenticate(request);
  });
  app.addHook('onRoute', (route) => {
    route.schema = { tags: ['sandbox'], ...route.schema };
  });
  const scope = app.withTypeProvider<ZodTypeProvider>();
  for (const register of [
    registerCustomer,
    registerTruth,
    registerClock,
    registerWebSite,
    registerJournal,
    registerFaults,
    registerCallbacks,
    registerState,
  ]) {
    register(scope, sandbox);
  }
}

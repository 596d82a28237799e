import { z } from 'zod';
import { accessRoles } from '../http/access.js';

export const tokenLogin = z.strictObject({
  token: z.string().min(1).max(4_096).describe('A token of HANDOVER_TOKENS'),
});

export const loginMethods = z.object({
  methods: z
    .array(z.enum(['oidc', 'token']))
    .describe('`oidc`: open GET /api/session/oidc in the browser; `token`: POST /api/session'),
});

const role = z.enum(accessRoles);

export const me = z
  .object({
    name: z.string().describe('As it stands in the audit'),
    role,
    platformRoles: z
      .array(z.enum(['channel', 'supplier']))
      .describe("The platform's roles that have a key here (G26)"),
    timeZone: z.string().describe('Offset of every time of this API, such as +09:00 (G18)'),
    version: z.string().describe('Of Handover'),
    temporalUi: z.string().nullable().describe('Address of Temporal UI; null: none is known'),
    temporalNamespace: z.string().describe('Where Temporal UI shows the workflows'),
  })
  .describe('Who is logged in, and what the service is');

export const staffList = z
  .object({ items: z.array(z.object({ name: z.string(), role })) })
  .describe(
    'Who can act: the names of HANDOVER_TOKENS with the role staff or manager, and persons with these roles whom the identity provider has logged in within 90 days',
  );

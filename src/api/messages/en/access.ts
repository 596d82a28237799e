/** Who may send a request, and whether the service can answer one now. */
export const access = {
  'api.token-missing': () => 'The request has no token. Send the header `Authorization: Bearer <token>`.',
  'api.token-unknown': () => 'The token is unknown. Use one of HANDOVER_TOKENS.',
  'api.refused-tokens': ({ most }: { most: number }) =>
    `This address sent ${most} refused tokens within a minute. Send one of HANDOVER_TOKENS.`,
  'api.session-ended': () => 'The login has ended. Log in again.',
  'api.write-from-elsewhere': () =>
    "The write came from elsewhere. Open the console at this server's address, or send `Authorization: Bearer <token>`.",
  'api.from-elsewhere': () => "The request came from elsewhere. Open the console at this server's address.",
  'api.role-too-low': ({ needed, role }: { needed: string; role: string }) =>
    `The role is too low: this needs a ${needed} token; yours is a ${role} token. Use a token of that role.`,
  /** G26. */
  'api.role-off': ({ role, variable }: { role: string; variable: string }) =>
    `The ${role} role has no key here. Set ${variable}.`,

  'api.too-many-streams': () =>
    'Too many pages are open. Close other pages of the console, or try again later.',
  'api.lists-not-ready': () =>
    'The lists are not complete: after an update workers still write them. Repeat the request; a single reservation can be read.',
  'api.store-silent': () => 'The database gave no answer. Repeat the request.',
  'api.photo-store-silent': () =>
    'The photo store gave no answer. Nothing was sent to the platform: repeat the request.',
  'api.not-ready': ({ failing }: { failing: readonly string[] }) =>
    `These do not answer: ${failing.join(', ')}.`,
  'api.internal': () => 'Handover has an internal error. Check its log.',
  /** `code`: the gRPC code of Temporal's answer, or one of ours. */
  'api.engine-silent': ({ code }: { code: string }) =>
    `${whyUnavailable[code] ?? 'The answer did not come in time.'} Repeat the request; a write acts once if it has the same Idempotency-Key.`,
} as const;

const noAnswer =
  'The workflow gives no answer. An operator finds the cause in the alerts about workers and in their log.';
const whyUnavailable: Record<string, string> = {
  NOT_CONNECTED: 'Temporal is not connected; nothing was sent.',
  // its tasks fail
  FAILED_PRECONDITION: noAnswer,
  QUERY_FAILED: noAnswer,
  QUERY_REJECTED: 'The workflow is paused in Temporal. An operator resumes it there.',
};

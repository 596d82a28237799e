import type { Action, AttentionKind, CommandState } from '../../types.js';
import { actionName } from './names.js';

/** Refusals at once: nothing of them is stored, and no workflow renders them. */
export const refusals = {
  'refused.key-reused': () =>
    'The Idempotency-Key was already used for another request. Send a new key for a new request.',
  'refused.photo-missing': ({ action }: { action: Action }) =>
    `The photo is missing: attach one to ${actionName(action)}.`,
  'refused.out-of-order': ({ action, missing }: { action: Action; missing: readonly Action[] }) =>
    `A recommended step is missing before you ${actionName(action)}: ${missing.map((step) => actionName(step)).join(', ')}. Do it first, or override with a reason.`,
  'refused.command-not-found': () =>
    'The command id is unknown for this reservation. Read the reservation for its commands.',
  'refused.command-settled': ({ outcome }: { outcome: CommandState }) =>
    outcome === 'applied' || outcome === 'rejected'
      ? `The outcome is already known: ${outcome}. Nothing is left to resolve.`
      : `The command is still open (${outcome}). Wait for its outcome; only an unknown outcome can be resolved.`,
  'refused.period-incomplete': () => 'The period is not known yet. Give both its start and its end.',
  'refused.period-reversed': () =>
    'The period ends before it starts. Give an end that is later than the start.',
  'refused.nothing-asserted': () =>
    'The assertion has no value. Give at least one of status (a known code), car, start or end.',
  'refused.attention-not-found': ({ kind }: { kind: AttentionKind }) =>
    `The attention item "${kind}" is not open. Read the reservation for its open items.`,
  'refused.timeline-waits': () =>
    'The database does not accept the timeline of this reservation. Send the action again when the database answers.',
  'refused.too-many-open': () =>
    'Too many actions on this reservation are still open. Wait for their outcomes, or resolve the unknown ones, before you send another.',
  'refused.no-events': () =>
    'The reservation has no event yet. Wait for its first callback, or check that callbacks arrive.',
  'refused.closed': () => 'The reservation is closed. Nothing can be done about it any more.',
} as const;

/**
 * By the code of the platform, or of the transport: what is wrong, then what to do. True of every operation. Any other
 * code shows the text that the platform's client made.
 */
const platformTexts: Readonly<Record<string, readonly [wrong: string, action: string]>> = {
  E011: ['The period overlaps another entry', 'Choose another period.'],
  E012: ['The schedule entry is too old to edit', 'Make a new hold.'],
  INVALID_REQUEST: ['The platform refuses a value', 'Correct the request.'],
  UNAUTHORIZED: ['The API key is refused', 'An operator corrects it.'],
  FORBIDDEN: ['The API key lacks permission', 'An operator asks the platform for it.'],
  NOT_FOUND: ['The platform does not know it', 'Check the reservation, product, car or schedule entry.'],
  ILLEGAL_STATE: [
    'The platform has another status',
    'Read the reservation or schedule entry again, then decide.',
  ],
  NO_AVAILABILITY: ['No car is available then', 'Choose another period or product.'],
  PAYLOAD_TOO_LARGE: ['The request is too large', 'Send a smaller photo or a shorter text.'],
  RATE_LIMITED: [
    'Too many requests reached the platform',
    'Nothing was done; try again later, as a new request.',
  ],
  REDIRECTED: ["The platform's address redirects", 'An operator corrects PLATFORM_BASE_URL.'],
  UNREACHABLE: ['The platform cannot be reached', 'Nothing was sent; try again later, as a new request.'],
};

/** What became of a command, where no entry of the timeline has the same sentence. */
export const outcomes = {
  'command.forbidden': () =>
    'The platform forbids this action on this reservation, although the key works. Read the reservation, then decide; an operator asks the platform for the permission.',
  /** Of the platform, or why a request was not sent. `text`: what the platform's client made of the code. */
  'platform.refused': ({ code, text }: { code: string | null; text: string }) => {
    if (code === null || !Object.hasOwn(platformTexts, code)) return text;
    const [wrong, action] = platformTexts[code] as readonly [string, string];
    return `${wrong} (${code}). ${action}`;
  },
} as const;

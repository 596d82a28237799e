import { z } from 'zod';
import { longestCallbackSecret } from '../../api/http/limits.js';
import type { BlobPlace } from '../../store/photos/blob-place.js';
import { parseDuration } from './duration.js';
import { accessTokens, codecKeys, commaSeparated, groupRoles, sandboxKeys } from './lists.js';
import { networks } from './networks.js';

const callbackAuths = ['standard-webhooks', 'bearer', 'secret-path', 'none'] as const;
export type CallbackAuth = (typeof callbackAuths)[number];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const text = z.string();
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `is not one of ${values.join(', ')}` });

const port = text.transform((value, context) => {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
  context.addIssue('is not a port; give a whole number from 1 to 65535, or 0 for any free port');
  return z.NEVER;
});

const url = (protocols: readonly string[], example: string) =>
  text.transform((value, context) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed !== undefined && protocols.includes(parsed.protocol)) return value.replace(/\/+$/, '');
    context.addIssue(`is not an address of the form ${example}`);
    return z.NEVER;
  });
const httpUrl = url(['http:', 'https:'], 'https://host or http://host:port/path');
/** Paths are put behind it. */
const httpBase = httpUrl.refine((value) => !/[?#]/.test(value), {
  error: 'is a base address: it has no query and no fragment',
});
const postgresUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database');

const apiKey = text.regex(/^[\x21-\x7e]+$/, 'is not a key: it holds a space or a character outside ASCII');
/** `whsec_` plus base64 of at least 24 bytes (Standard Webhooks). */
const webhookSecret = text.regex(
  /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
  'is not a signing secret; give `whsec_` and the base64 of 24 bytes or more',
);

/** The secret is a part of a path. */
const endpointToken = text.regex(
  /^[A-Za-z0-9._~-]{16,}$/,
  'is too short or holds other characters; give 16 or more letters, digits or . _ ~ -',
);
/** As it is: a provider's own may end with a slash. */
const issuer = text.refine((value) => /^https?:/.test(value) && URL.canParse(value) && !/[?#]/.test(value), {
  error: 'is not the address of an identity provider, such as https://login.example/realms/ours',
});
const origin = text.transform((value, context) => {
  if (/^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value) return value;
  context.addIssue('is not an origin of the form http://host:port or https://host, without a path');
  return z.NEVER;
});

const milliseconds = (value: string, context: z.core.$RefinementCtx<string>): number => {
  const parsed = parseDuration(value);
  if (parsed !== undefined) return parsed;
  context.addIssue(
    'is not a duration; give one in ISO 8601 without months, such as PT90S, PT15M, PT12H or P1D',
  );
  return z.NEVER;
};
const duration = text.transform(milliseconds);
const ladder = text.transform((value, context) => {
  const steps = value.split(',').map((step) => parseDuration(step.trim()));
  const rising = steps.every((step, index) => step !== undefined && step > (steps[index - 1] ?? -1));
  if (rising) return steps.filter((step) => step !== undefined);
  context.addIssue('is not a list of rising ISO 8601 durations; give one such as PT15M,PT60M,PT120M');
  return z.NEVER;
});

const wholeNumber = text.transform((value, context) => {
  if (/^[1-9]\d{0,4}$/.test(value)) return Number(value);
  context.addIssue('is not a whole number from 1 to 99999');
  return z.NEVER;
});

/** Zero: never. */
const interval = text.transform((value, context) => (value === 'off' ? 0 : milliseconds(value, context)));
const mostDays = 366;
const days = text.transform((value, context) => {
  const match = /^P(\d{1,3})D\/P(\d{1,3})D$/.exec(value);
  const [back, ahead] = [Number(match?.[1] ?? Number.NaN), Number(match?.[2] ?? Number.NaN)];
  if (back + ahead < mostDays) return { back, ahead };
  context.addIssue(
    `is not a period of days; give the days before today and those after it, ${mostDays} at most together with today, such as P1D/P30D`,
  );
  return z.NEVER;
});

const blobPlace = text.transform((value, context): BlobPlace => {
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(value);
  if (s3?.[1] !== undefined) return { kind: 's3', bucket: s3[1], prefix: s3[2] ?? '' };
  if (!value.includes('://')) return { kind: 'folder', path: value };
  context.addIssue('is neither a folder nor s3://bucket/prefix');
  return z.NEVER;
});

/** Every variable and how it is read (design, Public interface). Secrets are named in `secretVariables`. */
export const variables = {
  HANDOVER_DATA_DIR: text,
  HANDOVER_HOST: text.regex(/^[A-Za-z0-9.:_-]+$/, 'is not a host name or address'),
  HANDOVER_PORT: port,
  HANDOVER_DRAIN: duration,
  WORKER_PORT: port,
  WORKER_PLATFORM_SLOTS: wholeNumber,
  WORKER_BOOKING_SLOTS: wholeNumber,
  WORKER_SCAN_SLOTS: wholeNumber,
  WORKER_DATABASE_SLOTS: wholeNumber,
  SANDBOX_PORT: port,
  HANDOVER_TEMPORAL_PORT: port,
  HANDOVER_TEMPORAL_UI_PORT: port,
  TEMPORAL_DEPLOYMENT_NAME: text.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, {
    error: 'is not the name of a deployment; give up to 100 letters, digits, _ or -',
  }),
  TEMPORAL_WORKER_BUILD_ID: text.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
    error: 'is not the id of a build; give up to 100 letters, digits, . _ or -',
  }),
  TEMPORAL_CLI_PATH: text,
  TEMPORAL_TEST_SERVER_PATH: text,
  DATABASE_URL: postgresUrl,
  SANDBOX_DATABASE_URL: postgresUrl,
  PLATFORM_BASE_URL: httpUrl,
  PLATFORM_CHANNEL_API_KEY: apiKey,
  PLATFORM_SUPPLIER_API_KEY: apiKey,
  PLATFORM_RATE: wholeNumber,
  RECONCILE_EVERY: interval,
  RECONCILE_WINDOW: days,
  CALLBACK_AUTH: oneOf(callbackAuths),
  CALLBACK_AUTH_CONFIRM: oneOf(['none']),
  CALLBACK_PORT: port,
  CALLBACK_SECRETS: commaSeparated,
  CALLBACK_ALLOW: networks,
  CALLBACK_PROXIES: networks,
  INTAKE_BACKLOG_AFTER: duration,
  INTAKE_SILENCE_AFTER: duration,
  INTAKE_RETENTION: duration,
  INTAKE_VERDICT_RETENTION: duration,
  BLOB_URL: blobPlace,
  PERSONAL_DATA_RETENTION: duration,
  PHOTO_RETENTION: duration,
  HANDOVER_TOKENS: accessTokens,
  CONSOLE_URL: origin,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_ROLES: groupRoles,
  HANDOVER_DOCS: oneOf(['on', 'off']),
  HANDOVER_STACK_TRACES: oneOf(['on', 'off']),
  ALERT_URL: httpUrl,
  ALERT_SECRET: webhookSecret,
  FORWARD_URL: httpBase,
  FORWARD_SECRET: webhookSecret,
  CODEC_KEYS: codecKeys,
  CODEC_KEYS_FILE: text,
  CODEC_BINDING: oneOf(['on', 'off']),
  CODEC_DATA_KEYS: oneOf(['on', 'off']),
  CODEC_ENDPOINT_TOKEN: endpointToken,
  CODEC_UI_ORIGIN: origin,
  SANDBOX_BASE_URL: httpUrl,
  SANDBOX_KEYS: sandboxKeys,
  SANDBOX_CALLBACK_URL: httpUrl,
  SANDBOX_CALLBACK_SECRET: webhookSecret,
  SANDBOX_FLEET: text.regex(/^[a-z0-9-]+$/, 'is not the name of a seed fleet, such as small'),
  WIRE_PROFILE: text,
  LOG_LEVEL: oneOf(logLevels),
  HANDOVER_DISPATCH_LEAD: duration,
  HANDOVER_LATE_LADDER: ladder,
  HANDOVER_RECALL_OVERDUE: duration,
  HANDOVER_SETTLE: duration,
  HANDOVER_HOLD_PROPOSAL: duration,
  HANDOVER_DANGER_LEAD: duration,
  HANDOVER_KEY_PROBE: duration,
} satisfies Record<string, z.ZodType<unknown, string>>;
export type VariableName = keyof typeof variables;
export type Values = { [K in VariableName]?: z.output<(typeof variables)[K]> };

/** Variables whose values appear in no message. */
export const secretVariables: ReadonlySet<VariableName> = new Set([
  'DATABASE_URL',
  'SANDBOX_DATABASE_URL',
  'PLATFORM_BASE_URL',
  'PLATFORM_CHANNEL_API_KEY',
  'PLATFORM_SUPPLIER_API_KEY',
  'CALLBACK_SECRETS',
  'HANDOVER_TOKENS',
  'OIDC_CLIENT_SECRET',
  'ALERT_URL',
  'ALERT_SECRET',
  'FORWARD_URL',
  'FORWARD_SECRET',
  'CODEC_KEYS',
  'CODEC_ENDPOINT_TOKEN',
  'SANDBOX_KEYS',
  'SANDBOX_CALLBACK_URL',
  'SANDBOX_CALLBACK_SECRET',
]);

/** Whether every entry of CALLBACK_SECRETS fits the way callbacks are authenticated; a sentence where not. */
export function callbackSecretsProblem(auth: CallbackAuth, secrets: readonly string[]): string | undefined {
  const wrong = (fits: RegExp) => secrets.findIndex((secret) => !fits.test(secret)) + 1;
  if (auth === 'standard-webhooks') {
    const entry = wrong(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    if (entry > 0)
      return `entry ${entry} is not a signing secret; give \`whsec_\` and the base64 of 24 bytes or more`;
  } else if (auth !== 'none') {
    const entry = wrong(new RegExp(`^[A-Za-z0-9._~-]{16,${longestCallbackSecret}}$`));
    if (entry > 0)
      return `entry ${entry} is too short, too long or holds other characters; give 16 to ${longestCallbackSecret} letters, digits or . _ ~ -`;
  }
  return undefined;
}

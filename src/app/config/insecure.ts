import type { Problem } from './problem.js';
import type { Values, VariableName } from './variables.js';

const shortestToken = 24;
/** Where the compose files name no secret of their own: `postgres://handover:handover@…`. */
const tryOutPasswords = ['handover', 'temporal'];

/** One secret of the environment. */
interface Secret {
  variable: VariableName;
  value: string;
  /** Its place in a list, from 1. */
  entry?: number;
}

/**
 * Settings that are fit only for a trial, with the fix of each. None where the platform is not real: embedded, on this
 * machine, or the sandbox that `SANDBOX_BASE_URL` names.
 */
export function insecureSettings(values: Values): Problem[] {
  const { PLATFORM_BASE_URL: platform } = values;
  if (platform === undefined || isLoopback(platform) || platform === values.SANDBOX_BASE_URL) return [];
  return [
    ...tryOutSecrets(values),
    ...shortTokens(values),
    ...sharedSecrets(values),
    ...plainHttp(values),
    ...unprovenCallbacks(values),
  ];
}

/** Whether an address is one of this machine: `localhost`, `127.0.0.0/8` or `::1`. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function tryOutSecrets(values: Values): Problem[] {
  const known = [...tokens(values), ...signingSecrets(values), ...platformKeys(values), ...codecKeys(values)]
    .filter(({ value }) => isTryOut(value))
    .map((secret) =>
      problem(secret, 'is the one of the compose file, which is public; give one of your own'),
    );
  const url = values.DATABASE_URL;
  if (url === undefined || !tryOutPasswords.includes(new URL(url).password)) return known;
  const message = 'has the password of the compose file, which is public; give the database one of its own';
  return [...known, { variable: 'DATABASE_URL', message }];
}

/** Every secret that a compose file gives begins with `try-`, or is the base64 of such a text (a test checks it). */
function isTryOut(value: string): boolean {
  const base64 = value.replace(/^whsec_/, '');
  return [value, Buffer.from(base64, 'base64').toString('latin1')].some((text) => text.startsWith('try-'));
}

function shortTokens(values: Values): Problem[] {
  return tokens(values)
    .filter(({ value }) => value.length < shortestToken)
    .map((secret) =>
      problem(
        secret,
        `is a token of less than ${shortestToken} characters, which can be guessed; make one with \`openssl rand -hex 24\``,
      ),
    );
}

/** A secret that serves two purposes gives its holder the rights of both. */
function sharedSecrets(values: Values): Problem[] {
  const secrets = [...tokens(values), ...signingSecrets(values), ...platformKeys(values)];
  return secrets.flatMap((secret, index) => {
    const first = secrets.slice(0, index).find(({ value }) => value === secret.value);
    if (first === undefined || isReported(first, secret)) return [];
    return [
      problem(secret, `is the same as in ${first.variable}; give each role and purpose a secret of its own`),
    ];
  });
}

/** The platform may give one company one key for both roles; the other pair has a message of its own. */
function isReported(first: Secret, second: Secret): boolean {
  const pair = [first.variable, second.variable];
  return (
    pair.every((variable) => variable.startsWith('PLATFORM_')) ||
    (pair.includes('CALLBACK_SECRETS') && pair.includes('FORWARD_SECRET')) ||
    first.variable === second.variable
  );
}

function plainHttp(values: Values): Problem[] {
  return (['PLATFORM_BASE_URL', 'FORWARD_URL'] as const).flatMap((variable) => {
    const url = values[variable];
    if (url === undefined || !url.startsWith('http:') || isLoopback(url)) return [];
    const message =
      'is plain http: keys and personal data would cross the network in the clear; give an https address';
    return [{ variable, message }];
  });
}

function unprovenCallbacks(values: Values): Problem[] {
  if (values.CALLBACK_AUTH !== 'none' || values.CALLBACK_AUTH_CONFIRM === 'none') return [];
  const message =
    'is none: any client that reaches the receiver can write events; choose standard-webhooks, bearer or secret-path, or ' +
    'set CALLBACK_AUTH_CONFIRM to none where something in front of the receiver authenticates the platform';
  return [{ variable: 'CALLBACK_AUTH', message }];
}

/** Secrets that are sent after `Bearer` or in a path. */
function tokens(values: Values): Secret[] {
  const callbacks = ['bearer', 'secret-path'].includes(values.CALLBACK_AUTH ?? '')
    ? list('CALLBACK_SECRETS', values.CALLBACK_SECRETS)
    : [];
  const people = list(
    'HANDOVER_TOKENS',
    values.HANDOVER_TOKENS?.map(({ token }) => token),
  );
  return [...people, ...callbacks, ...single(values, 'CODEC_ENDPOINT_TOKEN')];
}

function signingSecrets(values: Values): Secret[] {
  const callbacks =
    (values.CALLBACK_AUTH ?? 'standard-webhooks') === 'standard-webhooks'
      ? list('CALLBACK_SECRETS', values.CALLBACK_SECRETS)
      : [];
  return [...callbacks, ...single(values, 'ALERT_SECRET'), ...single(values, 'FORWARD_SECRET')];
}

function platformKeys(values: Values): Secret[] {
  return [...single(values, 'PLATFORM_CHANNEL_API_KEY'), ...single(values, 'PLATFORM_SUPPLIER_API_KEY')];
}

function codecKeys({ CODEC_KEYS: keys }: Values): Secret[] {
  return list(
    'CODEC_KEYS',
    keys?.map(({ key }) => Buffer.from(key).toString('base64')),
  );
}

function list(variable: VariableName, values: readonly string[] = []): Secret[] {
  return values.map((value, index) => ({ variable, value, entry: index + 1 }));
}

function single(
  values: Values,
  variable:
    | 'CODEC_ENDPOINT_TOKEN'
    | 'ALERT_SECRET'
    | 'FORWARD_SECRET'
    | 'PLATFORM_CHANNEL_API_KEY'
    | 'PLATFORM_SUPPLIER_API_KEY',
): Secret[] {
  const value = values[variable];
  return value === undefined ? [] : [{ variable, value }];
}

function problem({ variable, entry }: Secret, message: string): Problem {
  return { variable, message: entry === undefined ? message : `entry ${entry} ${message}` };
}

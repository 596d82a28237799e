import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConfigError, loadConfig } from '../../src/app/config/index.js';
import { insecureSettings, isLoopback } from '../../src/app/config/insecure.js';

const webhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const token = () => randomBytes(24).toString('hex');

/** A deployment that may meet a real platform. */
const secure = () => ({
  PLATFORM_BASE_URL: 'https://rental.example',
  PLATFORM_CHANNEL_API_KEY: 'channel-key',
  PLATFORM_SUPPLIER_API_KEY: 'supplier-key',
  DATABASE_URL: `postgres://handover:${token()}@db:5432/handover`,
  CALLBACK_SECRETS: webhookSecret(),
  ALERT_URL: 'https://alerts.example',
  ALERT_SECRET: webhookSecret(),
  FORWARD_URL: 'https://supplier.example',
  FORWARD_SECRET: webhookSecret(),
  HANDOVER_TOKENS: `viewer:${token()},staff:${token()}:kim,manager:${token()}`,
  CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CODEC_ENDPOINT_TOKEN: token(),
});

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ variable, message }) => `${variable} ${message}`);
    throw error;
  }
  return [];
}

it('a deployment with secrets of its own and https starts', () => {
  expect(problemsOf(secure())).toEqual([]);
});

describe('with a real platform, start-up refuses', () => {
  it.each([
    [
      'a short token',
      { HANDOVER_TOKENS: 'viewer:abc' },
      /^HANDOVER_TOKENS entry 1 is a token of less than 24 .*openssl/,
    ],
    [
      'a token of 23 characters, beside a long one',
      { HANDOVER_TOKENS: `viewer:${token()},staff:${'x'.repeat(23)}` },
      /^HANDOVER_TOKENS entry 2 .*openssl/,
    ],
    [
      'a short codec token',
      { CODEC_ENDPOINT_TOKEN: 'x'.repeat(23) },
      /^CODEC_ENDPOINT_TOKEN is a token of less/,
    ],
    [
      'a short bearer token of callbacks',
      { CALLBACK_AUTH: 'bearer', CALLBACK_SECRETS: 'x'.repeat(20) },
      /^CALLBACK_SECRETS entry 1 is a token of less/,
    ],
    [
      'plain http to the platform',
      { PLATFORM_BASE_URL: 'http://rental.example' },
      /^PLATFORM_BASE_URL .*https/,
    ],
    [
      'plain http to the other deployment',
      { FORWARD_URL: 'http://supplier.example' },
      /^FORWARD_URL .*https/,
    ],
    [
      'callbacks that prove nothing',
      { CALLBACK_AUTH: 'none' },
      /^CALLBACK_AUTH is none.*set CALLBACK_AUTH_CONFIRM to none/,
    ],
    [
      "the compose file's database password",
      { DATABASE_URL: 'postgres://handover:handover@db:5432/handover' },
      /^DATABASE_URL has the password of the compose file/,
    ],
  ])('%s', (_, change, message) => {
    const problems = problemsOf({ ...secure(), ...change });
    expect(problems).toEqual([expect.stringMatching(message)]);
  });

  it('one token for several roles, or for several purposes', () => {
    const twice = token();
    expect(problemsOf({ ...secure(), HANDOVER_TOKENS: `viewer:${twice},manager:${twice}` })).toHaveLength(1);
    expect(
      problemsOf({ ...secure(), HANDOVER_TOKENS: `staff:${twice}`, CODEC_ENDPOINT_TOKEN: twice }),
    ).toEqual([
      'CODEC_ENDPOINT_TOKEN is the same as in HANDOVER_TOKENS; give each role and purpose a secret of its own',
    ]);
    const secret = webhookSecret();
    expect(problemsOf({ ...secure(), CALLBACK_SECRETS: secret, ALERT_SECRET: secret })).toEqual([
      expect.stringMatching(/^ALERT_SECRET is the same as in CALLBACK_SECRETS/),
    ]);
    expect(problemsOf({ ...secure(), CALLBACK_SECRETS: secret, FORWARD_SECRET: secret })).toHaveLength(1);
  });

  it('all of them at once, and no message shows a secret', () => {
    const problems = problemsOf({
      ...secure(),
      PLATFORM_BASE_URL: 'http://hush-host.example',
      HANDOVER_TOKENS: 'viewer:hush-1,manager:hush-2',
      CALLBACK_AUTH: 'none',
      DATABASE_URL: 'postgres://handover:handover@db:5432/handover',
    });
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'HANDOVER_TOKENS',
      'HANDOVER_TOKENS',
      'PLATFORM_BASE_URL',
      'CALLBACK_AUTH',
    ]);
    expect(problems.join()).not.toContain('hush');
  });

  it('every secret that a compose file gives', async () => {
    for (const file of ['docker-compose.yml', 'docker-compose.market.yml']) {
      const given = await tryOutEnvironments(file);
      expect(given.length).toBeGreaterThan(1);
      for (const env of given) {
        const refused = new Set(
          problemsOf({ ...env, SANDBOX_BASE_URL: '' }).map((line) => line.split(' ')[0]),
        );
        const secrets = Object.keys(env).filter((name) => secretNames.includes(name) && env[name] !== '');
        expect([...refused], file).toEqual(expect.arrayContaining(secrets));
      }
    }
  });
});

describe('what is only for trying out still works', () => {
  it('the compose files as they are', async () => {
    for (const file of ['docker-compose.yml', 'docker-compose.market.yml']) {
      for (const env of await tryOutEnvironments(file)) expect(problemsOf(env)).toEqual([]);
    }
  });

  it.each(['http://127.0.0.1:9090', 'http://localhost:9090', 'http://[::1]:9090'])(
    'a platform at %s',
    (url) => {
      const env = {
        PLATFORM_BASE_URL: url,
        PLATFORM_CHANNEL_API_KEY: 'try-channel-key',
        HANDOVER_TOKENS: 'viewer:abc',
      };
      expect(problemsOf({ ...env, CALLBACK_AUTH: 'none' })).toEqual([]);
    },
  );

  it('the sandbox that SANDBOX_BASE_URL names, and no other platform beside it', () => {
    const env = { ...secure(), SANDBOX_BASE_URL: 'http://sandbox:9090', HANDOVER_TOKENS: 'viewer:abc' };
    expect(problemsOf({ ...env, PLATFORM_BASE_URL: 'http://sandbox:9090/' })).toEqual([]);
    expect(problemsOf(env)).toHaveLength(1);
  });

  it('callbacks without proof, once a second variable confirms it', () => {
    expect(problemsOf({ ...secure(), CALLBACK_AUTH: 'none', CALLBACK_AUTH_CONFIRM: 'none' })).toEqual([]);
  });

  it('forwarding to a program on this machine', () => {
    expect(problemsOf({ ...secure(), FORWARD_URL: 'http://127.0.0.1:8444' })).toEqual([]);
  });
});

it.each([
  'http://127.0.0.1.example',
  'http://localhost.example',
  'https://10.0.0.1',
  'http://[::2]',
  'http://sandbox:9090',
])('%s is not this machine', (url) => expect(isLoopback(url)).toBe(false));

it('without a platform nothing is refused: the sandbox is embedded', () => {
  expect(insecureSettings({ CALLBACK_AUTH: 'none' })).toEqual([]);
});

const secretNames = [
  'DATABASE_URL',
  'CODEC_KEYS',
  'CODEC_ENDPOINT_TOKEN',
  'PLATFORM_CHANNEL_API_KEY',
  'PLATFORM_SUPPLIER_API_KEY',
  'CALLBACK_SECRETS',
  'FORWARD_SECRET',
  'HANDOVER_TOKENS',
];

/** The environment of each service that knows a platform, where nothing is set: `${NAME:-default}` is its default. */
async function tryOutEnvironments(file: string): Promise<Record<string, string>[]> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  return Object.values(services)
    .map(({ environment = {} }) =>
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
        ]),
      ),
    )
    .filter((env) => env.PLATFORM_BASE_URL !== undefined);
}

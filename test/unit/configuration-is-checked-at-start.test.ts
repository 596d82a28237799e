import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/app/config/duration.js';
import { ConfigError, describeConfig, loadConfig, policyOf } from '../../src/app/config/index.js';
import { removedVariables } from '../../src/app/config/removed.js';
import type { WireProfile } from '../../src/platform/profile.js';

const signing = `whsec_${'A'.repeat(43)}=`;

const profile = {
  zone: { name: 'Asia/Seoul', offsetMinutes: 540 },
  behaviour: { fromStates: { 10: [5], 15: [10] } },
} as unknown as WireProfile;

function problemsOf(env: Record<string, string>): readonly { variable: string; message: string }[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('defaults', () => {
  it('an empty environment is a whole embedded installation', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      dataDir: resolve('.handover'),
      http: { host: '127.0.0.1', port: 8080 },
      temporal: { external: false, port: 7233, uiPort: 8233 },
      sandbox: { port: 9090, keys: [], fleet: 'small' },
      callbacks: { auth: 'standard-webhooks', secrets: [] },
      blobs: { kind: 'folder', path: resolve('.handover/blobs') },
      // three years after closing, photos one year
      erasure: { reservationsMs: 3 * 365 * 86_400_000, photosMs: 365 * 86_400_000 },
      tokens: [],
      wireProfile: 'default',
      logLevel: 'info',
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.platform).toEqual({});
  });

  it('the durations of the lifecycle are those of its rules (L40-L47)', () => {
    expect(policyOf(loadConfig({}), profile)).toMatchObject({
      dispatchLeadMs: 3_600_000,
      overdueGraceMs: 180_000,
      lateLadderMs: [900_000, 3_600_000, 7_200_000],
      recallOverdueMs: 43_200_000,
      notAnnouncedMs: 600_000,
      incompleteMs: 600_000,
      ambiguousMs: 86_400_000,
      settleMs: 86_400_000,
      holdProposalMs: 86_400_000,
      dangerLeadMs: 86_400_000,
    });
  });

  it('workers have no version; with a deployment they have the build of their release, or a given one', () => {
    const external = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_DEPLOYMENT_NAME: 'handover' };
    expect(loadConfig({}).temporal.deployment).toBeUndefined();
    expect(loadConfig(external).temporal.deployment).toEqual({ name: 'handover' });
    const given = { ...external, TEMPORAL_WORKER_BUILD_ID: '0.4.0-1' };
    expect(loadConfig(given).temporal.deployment).toEqual({ name: 'handover', buildId: '0.4.0-1' });
    const { TEMPORAL_DEPLOYMENT_NAME: _, ...alone } = given;
    expect(problemsOf(alone)).toEqual([expect.objectContaining({ variable: 'TEMPORAL_WORKER_BUILD_ID' })]);
    expect(problemsOf({ TEMPORAL_DEPLOYMENT_NAME: 'handover' })).toEqual([
      expect.objectContaining({ variable: 'TEMPORAL_DEPLOYMENT_NAME' }),
    ]);
  });

  it('an empty value counts as unset', () => {
    expect(loadConfig({ HANDOVER_PORT: '', DATABASE_URL: '  ' })).toEqual(loadConfig({}));
  });
});

describe('values', () => {
  it('port 0 is any free port, for several listeners', () => {
    const config = loadConfig({ HANDOVER_PORT: '0', SANDBOX_PORT: '0' });
    expect([config.http.port, config.sandbox.port]).toEqual([0, 0]);
  });

  it('tokens carry a role and the name of the audit', () => {
    expect(loadConfig({ HANDOVER_TOKENS: 'viewer:v1, staff:s1:kim' }).tokens).toEqual([
      { role: 'viewer', token: 'v1', name: 'viewer' },
      { role: 'staff', token: 's1', name: 'kim' },
    ]);
  });

  it('G27: a supplier key of the sandbox belongs to one company', () => {
    expect(loadConfig({ SANDBOX_KEYS: 'channel:c,supplier:s:7' }).sandbox.keys).toEqual([
      { role: 'channel', key: 'c' },
      { role: 'supplier', key: 's', companyId: 7 },
    ]);
    expect(problemsOf({ SANDBOX_KEYS: 'supplier:s' })).toHaveLength(1);
  });

  it('L60: codec keys in their order, each with its id', () => {
    const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const text = `2026-11:${two.toString('base64')}, 2026-10:${one.toString('base64')}`;
    expect(loadConfig({ CODEC_KEYS: text }).codec.keys).toEqual([
      { id: '2026-11', key: two },
      { id: '2026-10', key: one },
    ]);
  });

  it.each([
    ['no id', Buffer.alloc(32).toString('base64')],
    ['31 bytes', `k:${Buffer.alloc(31).toString('base64')}`],
    ['an id with a space', `k 1:${Buffer.alloc(32).toString('base64')}`],
    ['an id twice', [1, 2].map((fill) => `k:${Buffer.alloc(32, fill).toString('base64')}`).join()],
  ])('codec keys with %s are refused, and not shown', (_, text) => {
    const problems = problemsOf({ CODEC_KEYS: text });
    expect(problems).toMatchObject([{ variable: 'CODEC_KEYS' }]);
    expect(problems[0]?.message).not.toContain('AAAA');
  });

  it.each([
    ['http://localhost:8233', 'accepted', true],
    ['https://temporal.example', 'accepted', true],
    ['http://localhost:8233/', 'refused', false],
    ['localhost:8233', 'refused', false],
    ['*', 'refused', false],
  ])('%s as the origin of Temporal UI is %s', (value, _, fits) => {
    expect(problemsOf({ CODEC_UI_ORIGIN: value }).length === 0).toBe(fits);
  });

  it('photos go to a folder or to a bucket', () => {
    expect(loadConfig({ BLOB_URL: 's3://photos/a/b/' }).blobs).toEqual({
      kind: 's3',
      bucket: 'photos',
      prefix: 'a/b',
    });
    expect(loadConfig({ BLOB_URL: '/srv/photos' }).blobs).toEqual({ kind: 'folder', path: '/srv/photos' });
  });

  it.each(['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'])(
    '%s turns the embedded engine off',
    (variable) => {
      const config = loadConfig({ [variable]: 'x', TEMPORAL_NAMESPACE: 'prod' });
      expect(config.temporal.external).toBe(true);
    },
  );

  it.each([
    ['PT90S', 90_000],
    ['PT0.25S', 250],
    ['PT1H30M', 5_400_000],
    ['P1DT1H', 90_000_000],
    ['P2W', 1_209_600_000],
  ])('the duration %s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 'P', 'PT', 'P1M', '15m', 'PT-5S', 'P1DT', '900'])('%j is no duration', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('problems', () => {
  it('are all listed at once, each with its variable', () => {
    const problems = problemsOf({
      HANDOVER_PORT: '99999',
      SANDBOX_PORT: 'abc',
      DATABASE_URL: 'mysql://x',
      CALLBACK_AUTH: 'magic',
      LOG_LEVEL: 'loud',
      HANDOVER_SETTLE: '1 day',
      HANDOVER_LATE_LADDER: 'PT60M,PT15M',
      HANDOVER_TOKENS: 'boss:t',
    });
    expect(problems.map(({ variable }) => variable).toSorted()).toEqual([
      'CALLBACK_AUTH',
      'DATABASE_URL',
      'HANDOVER_LATE_LADDER',
      'HANDOVER_PORT',
      'HANDOVER_SETTLE',
      'HANDOVER_TOKENS',
      'LOG_LEVEL',
      'SANDBOX_PORT',
    ]);
  });

  it('state what is wrong and what would be valid', () => {
    expect(() => loadConfig({ HANDOVER_PORT: '99999' })).toThrow(
      'HANDOVER_PORT ("99999") is not a port; give a whole number from 1 to 65535, or 0 for any free port',
    );
  });

  it('never show a secret', () => {
    const problems = problemsOf({
      HANDOVER_TOKENS: 'boss:hush-1,staff:hush-2:a:b',
      SANDBOX_KEYS: 'channel:hush-3:9',
      DATABASE_URL: 'http://u:hush-4@h',
      CALLBACK_SECRETS: 'hush-5',
      SANDBOX_CALLBACK_SECRET: 'hush-6',
      PLATFORM_BASE_URL: 'ftp://hush-7',
      PLATFORM_CHANNEL_API_KEY: 'hush-8 with space',
      CODEC_KEYS: 'hush-9',
      CODEC_ENDPOINT_TOKEN: 'hush-10',
    });
    expect(problems.length).toBeGreaterThanOrEqual(10);
    expect(JSON.stringify(problems)).not.toContain('hush');
  });

  it('name two servers on one port', () => {
    expect(problemsOf({ SANDBOX_PORT: '8080' })).toEqual([
      { variable: 'SANDBOX_PORT', message: 'is 8080, as HANDOVER_PORT is; give each a port of its own' },
    ]);
  });

  it('name a namespace without a Temporal address', () => {
    expect(problemsOf({ TEMPORAL_NAMESPACE: 'prod' })).toMatchObject([{ variable: 'TEMPORAL_NAMESPACE' }]);
  });

  it('name a platform without a key, and a key without a platform', () => {
    expect(problemsOf({ PLATFORM_BASE_URL: 'https://rental.example' })).toMatchObject([
      { variable: 'PLATFORM_BASE_URL' },
    ]);
    expect(problemsOf({ PLATFORM_SUPPLIER_API_KEY: 'k' })).toMatchObject([
      { variable: 'PLATFORM_SUPPLIER_API_KEY' },
    ]);
    expect(problemsOf({ PLATFORM_SUPPLIER_API_KEY: 'k', SANDBOX_KEYS: 'supplier:k:1' })).toEqual([]);
  });

  it('name a channel on a real platform without a secret for its callbacks', () => {
    const env = { PLATFORM_BASE_URL: 'https://rental.example', PLATFORM_CHANNEL_API_KEY: 'k' };
    expect(problemsOf(env)).toMatchObject([{ variable: 'CALLBACK_SECRETS' }]);
    expect(problemsOf({ ...env, CALLBACK_SECRETS: signing })).toEqual([]);
    expect(problemsOf({ ...env, CALLBACK_AUTH: 'none', CALLBACK_AUTH_CONFIRM: 'none' })).toEqual([]);
    // a part that receives nothing, such as `handover worker`, has nothing to check
    expect(() => loadConfig(env, { receives: false })).not.toThrow();
  });

  describe('of forwarding', () => {
    const other = `whsec_${'B'.repeat(43)}=`;
    const to = { FORWARD_URL: 'https://supplier.example/handover', FORWARD_SECRET: other };
    const on = (changes: Record<string, string>) => problemsOf({ ...to, ...changes });

    it('F70: an address and its secret, where callbacks come in, are all it needs', () => {
      expect(loadConfig(to).forward).toEqual({ url: to.FORWARD_URL, secret: other });
      expect(on({})).toEqual([]);
      expect(on({ FORWARD_URL: 'https://supplier.example/', CALLBACK_SECRETS: signing })).toEqual([]);
    });

    it.each<[string, Record<string, string>, string]>([
      ['an address without a secret', { FORWARD_SECRET: '' }, 'FORWARD_URL'],
      ['a secret without an address', { FORWARD_URL: '' }, 'FORWARD_SECRET'],
      ['no signing secret', { FORWARD_SECRET: 'hush-hush-hush-hush' }, 'FORWARD_SECRET'],
      ["the platform's own secret (F76)", { CALLBACK_SECRETS: `${signing},${other}` }, 'FORWARD_SECRET'],
      ['this deployment itself (F77)', { FORWARD_URL: 'http://localhost:8080' }, 'FORWARD_URL'],
      ['no base address', { FORWARD_URL: 'https://supplier.example/?a=b' }, 'FORWARD_URL'],
    ])('%s is refused', (_, changes, variable) => {
      const problems = on(changes);
      expect(problems).toMatchObject([{ variable }]);
      expect(JSON.stringify(problems)).not.toMatch(/hush|BBBB|supplier\.example/);
    });

    it('a supplier without callbacks needs no forwarding; a part that receives no callbacks needs no address', () => {
      const alone = {
        PLATFORM_BASE_URL: 'https://rental.example',
        PLATFORM_SUPPLIER_API_KEY: 'k',
        ...to,
      };
      expect(problemsOf(alone)).toMatchObject([{ variable: 'FORWARD_URL' }]);
      expect(problemsOf({ ...alone, CALLBACK_SECRETS: signing })).toEqual([]);
      expect(() => loadConfig(alone, { receives: false })).not.toThrow();
    });

    it('F78: only explicit secrets imply that callbacks are expected', () => {
      expect(loadConfig({}).callbacks.expected).toBe(false);
      expect(loadConfig({ CALLBACK_SECRETS: signing }).callbacks.expected).toBe(true);
    });
  });

  it('a retention of verdicts that is shorter than that of bodies', () => {
    expect(problemsOf({ INTAKE_RETENTION: 'P400D' })).toMatchObject([
      { variable: 'INTAKE_VERDICT_RETENTION' },
    ]);
    expect(problemsOf({ INTAKE_RETENTION: 'P1D', INTAKE_VERDICT_RETENTION: 'P1D' })).toEqual([]);
  });

  it('a malformed address does not raise a second problem about its dependent variables', () => {
    expect(problemsOf({ PLATFORM_BASE_URL: 'rental', PLATFORM_SUPPLIER_API_KEY: 'k' })).toHaveLength(1);
  });

  it.each([
    ['standard-webhooks', 'short'],
    ['bearer', 'short'],
    ['secret-path', 'has/slashes/in/the/path'],
    ['secret-path', 'x'.repeat(257)],
  ])('a callback secret that does not fit %s', (auth, secret) => {
    expect(problemsOf({ CALLBACK_AUTH: auth, CALLBACK_SECRETS: secret })).toMatchObject([
      { variable: 'CALLBACK_SECRETS' },
    ]);
  });
});

it('the description in the log and at the terminal masks every secret', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgres://user:hush-1@db:5432/handover',
    SANDBOX_DATABASE_URL: 'postgres://user:hush-2@db:5432/sandbox',
    PLATFORM_BASE_URL: 'https://user:hush-3@rental.example/hush-4',
    PLATFORM_CHANNEL_API_KEY: 'hush-5',
    CALLBACK_SECRETS: signing,
    HANDOVER_TOKENS: 'staff:hush-6-hush-6-hush-6-hush-6:kim',
    SANDBOX_KEYS: 'channel:hush-7',
    CODEC_KEYS: `k1:${Buffer.from('hush-hush-hush-hush-hush-hush-32').toString('base64')}`,
    CODEC_ENDPOINT_TOKEN: 'hush-hush-hush-hush-hush',
    SANDBOX_CALLBACK_URL: 'https://host/hush-8',
    ALERT_URL: 'https://ops.example/hush-9',
    ALERT_SECRET: `whsec_${'C'.repeat(43)}=`,
    FORWARD_URL: 'https://supplier.example/hush-10',
    FORWARD_SECRET: `whsec_${'B'.repeat(43)}=`,
    SANDBOX_CALLBACK_SECRET: signing,
  });
  const text = describeConfig(config).join('\n');
  expect(text).not.toMatch(/hush|whsec|aHVzaC/);
  expect(text).toContain('histories encrypted under: k1');
  expect(text).toContain('postgres://db:5432');
  expect(text).toContain('https://rental.example');
  expect(text).toContain('alerts: https://ops.example');
});

it.each([
  ['ALERT_URL', 'ops.example/hush'],
  ['ALERT_SECRET', 'whsec_hush'],
])('a wrong %s is refused, and not shown', (variable, value) => {
  const problems = problemsOf({ [variable]: value });
  expect(problems).toMatchObject([{ variable }]);
  expect(problems[0]?.message).not.toContain('hush');
});

it('the policy joins durations, the roles that have a key, and the wire profile', () => {
  const config = loadConfig({
    PLATFORM_BASE_URL: 'https://rental.example',
    PLATFORM_SUPPLIER_API_KEY: 'k',
    HANDOVER_SETTLE: 'PT5S',
    HANDOVER_HOLD_PROPOSAL: 'PT12H',
  });
  expect(policyOf(config, profile)).toMatchObject({
    roles: ['supplier'],
    zoneOffsetMinutes: 540,
    settleMs: 5000,
    holdProposalMs: 43_200_000,
    fromStates: { 10: [5], 15: [10] },
  });
});

it('a run has 1,000 history events at most', () => {
  expect(policyOf(loadConfig({}), profile).historyEventsPerRun).toBe(1_000);
});

it('a variable that is no longer read is named in one warning, without its value', () => {
  expect(removedVariables({ HANDOVER_RUN_EVENTS: '7', CATALOGUE_FRESH: 'PT5M', BOOKING_MATCH: ' ' })).toBe(
    'no longer read, because the value is now fixed: CATALOGUE_FRESH (now 1 minute), HANDOVER_RUN_EVENTS (now 1,000 history events); unset them (CHANGELOG.md)',
  );
  expect(removedVariables({ HANDOVER_PORT: '8080' })).toBeUndefined();
});

it('F40: by default the schedule is reconciled every 15 minutes, from yesterday on, 30 days ahead', () => {
  const of = (env: Record<string, string>) => loadConfig(env).reconciliation;
  expect(of({})).toEqual({ everyMs: 900_000, days: { back: 1, ahead: 30 } });
  expect(of({ RECONCILE_EVERY: 'PT1H', RECONCILE_WINDOW: 'P0D/P365D' })).toEqual({
    everyMs: 3_600_000,
    days: { back: 0, ahead: 365 },
  });
  for (const never of ['off', 'PT0S']) expect(of({ RECONCILE_EVERY: never }).everyMs).toBe(0);
  expect(problemsOf({ RECONCILE_EVERY: 'never' })).toMatchObject([{ variable: 'RECONCILE_EVERY' }]);
  for (const wrong of ['P30D', 'P1D/P1M', 'P-1D/P3D', 'P1D/P365D']) {
    expect(problemsOf({ RECONCILE_WINDOW: wrong })).toMatchObject([
      { variable: 'RECONCILE_WINDOW', message: expect.stringContaining('such as P1D/P30D') },
    ]);
  }
});

describe('logins by OIDC', () => {
  const all = {
    CONSOLE_URL: 'https://console.example',
    OIDC_ISSUER: 'https://login.example/realms/ours/',
    OIDC_CLIENT_ID: 'handover',
    OIDC_CLIENT_SECRET: 'hush',
    OIDC_ROLES: 'staff:dispatch, manager:urn:group:shift leads',
  };

  it('need an issuer, which is read as it is, a client, and roles of groups', () => {
    expect(loadConfig(all).oidc).toEqual({
      issuer: 'https://login.example/realms/ours/',
      clientId: 'handover',
      clientSecret: 'hush',
      roles: [
        { role: 'staff', group: 'dispatch' },
        { role: 'manager', group: 'urn:group:shift leads' },
      ],
      consoleUrl: 'https://console.example',
    });
    expect(loadConfig({ CONSOLE_URL: all.CONSOLE_URL }).oidc).toBeUndefined();
    expect(describeConfig(loadConfig(all)).join()).not.toContain('hush');
  });

  it.each(Object.keys(all))('are refused without %s', (variable) => {
    const { [variable as keyof typeof all]: _, ...rest } = all;
    expect(problemsOf(rest)).toMatchObject([{ variable, message: expect.stringContaining('is needed') }]);
  });

  it.each([
    ['OIDC_ISSUER', 'login.example'],
    ['OIDC_ISSUER', 'http://login.example'],
    ['OIDC_ISSUER', 'https://login.example?x=1'],
    ['OIDC_ROLES', 'dispatch'],
    ['OIDC_ROLES', 'boss:dispatch'],
    ['OIDC_ROLES', 'staff:'],
    ['OIDC_ROLES', ','],
    ['CONSOLE_URL', 'https://console.example/path'],
  ])('are refused with %s=%s', (variable, value) => {
    expect(problemsOf({ ...all, [variable]: value }).map((problem) => problem.variable)).toEqual([variable]);
  });

  it('may use plain http on this machine', () => {
    expect(loadConfig({ ...all, OIDC_ISSUER: 'http://127.0.0.1:3000' }).oidc?.issuer).toMatch(/^http:/);
  });
});

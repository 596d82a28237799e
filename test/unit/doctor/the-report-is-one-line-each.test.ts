import { expect, it, onTestFinished, vi } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/app/config/index.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import { doctor } from '../../../src/tools/doctor/command.js';
import { createCheck, type Finding } from '../../../src/tools/doctor/finding.js';
import { asJson, beforeGoingLive, conclusion, isSound, toLine } from '../../../src/tools/doctor/report.js';
import { checkNames, checkSettings } from '../../../src/tools/doctor/settings.js';

const platform = createCheck('platform', 'channel key', { goLive: 'authentication' });
const findings: Finding[] = [
  platform.ok('is accepted', { gaps: ['G26'] }),
  createCheck('wire profile', 'GET /product').fail('comes as an object', {
    gaps: ['G21'],
    todo: 'teach the profile',
  }),
  createCheck('posts', 'ALERT_URL').skip('not set'),
];

it('F80: a line of the report has the observation, the contradicted gaps, and what to do', () => {
  expect(findings.map(toLine)).toEqual([
    'ok    platform       channel key: is accepted',
    'fail  wire profile   GET /product: comes as an object [G21] → teach the profile',
    'skip  posts          ALERT_URL: not set',
  ]);
});

it('F80: an error makes the report unsound; warnings do not', () => {
  expect(isSound(findings)).toBe(false);
  expect(isSound([...findings.slice(0, 1), platform.warn('slow')])).toBe(true);
  expect(conclusion(findings)).toMatch(/contradicts the wire profile in G21\.\n1 to repair, 0 to check\.$/);
  expect(asJson(findings, 0)).toMatchObject({ ok: false, contradicted: ['G21'], findings });
});

it('F84: each prerequisite of the specification for production is as bad as the worst of its checks', () => {
  expect(beforeGoingLive(findings)).toEqual({ firewall: 'skip', authentication: 'ok', callbacks: 'skip' });
  expect(beforeGoingLive([...findings, platform.fail('unknown')]).authentication).toBe('fail');
  for (const subject of ['firewall rules', 'authentication header', 'callback receiving URL'])
    expect(conclusion(findings)).toContain(subject);
});

it('F86: missing settings of a cluster are reported by name only', () => {
  const signing = `whsec_${'A'.repeat(43)}=`;
  const of = (env: Record<string, string>) =>
    [...checkSettings(loadConfig(env), defaultProfile, undefined)].map(
      ({ result, check }) => `${result} ${check}`,
    );
  const cluster = {
    DATABASE_URL: 'postgres://u:hush@h/d',
    TEMPORAL_ADDRESS: 'h:7233',
    CALLBACK_SECRETS: signing,
  };
  const judged = (keys: string, tokens: string) => [
    'ok settings',
    `${keys} CODEC_KEYS`,
    `${tokens} HANDOVER_TOKENS`,
    'ok CALLBACK_ALLOW',
  ];
  expect(of(cluster)).toEqual(judged('fail', 'skip'));
  expect(of({})).toEqual(judged('skip', 'skip'));
  expect(of({ ALERT_URL: 'https://h/hush' })).toContain('skip ALERT_SECRET');
  expect(of({ ...cluster, ALERT_URL: 'https://h/hush' })).toContain('fail ALERT_SECRET');
  expect(of({ CALLBACK_AUTH: 'none' })).not.toContain('ok CALLBACK_ALLOW');
  const output = [...checkSettings(loadConfig(cluster), defaultProfile, undefined)].map(toLine).join();
  expect(output).not.toMatch(/hush|whsec/);
});

it('F86: a worker needs no tokens, which its environment never has; an api does', () => {
  const worker = {
    DATABASE_URL: 'postgres://h/d',
    TEMPORAL_ADDRESS: 'h:7233',
    CODEC_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
    // Kubernetes: one ConfigMap for both
    CALLBACK_PORT: '8082',
  };
  const of = (env: Record<string, string>) => {
    const found = [...checkSettings(loadConfig(env), defaultProfile, undefined)];
    expect(isSound(found)).toBe(found.every(({ check, result }) => !(check === tokens && result === 'fail')));
    return found.find(({ check }) => check === tokens);
  };
  const tokens = 'HANDOVER_TOKENS';
  expect(of(worker)).toMatchObject({
    result: 'skip',
    says: expect.stringContaining('right for handover worker'),
  });
  const api = { ...worker, CODEC_ENDPOINT_TOKEN: 'a-token-of-the-codec-endpoint' };
  expect(of(api)).toMatchObject({ result: 'fail', todo: expect.stringContaining('handover api') });
  expect(of({ ...api, [tokens]: 'manager:a:lee' })).toMatchObject({ result: 'ok' });
});

it('warns of tokens without a name: the audit has to name persons', () => {
  const of = (HANDOVER_TOKENS: string) => [...checkNames(loadConfig({ HANDOVER_TOKENS }).tokens)].map(toLine);
  expect(of('viewer:a,staff:b:kim')).toEqual([]);
  expect(of('staff:b:kim,manager:c,staff:d')).toEqual([
    expect.stringMatching(/^warn .*HANDOVER_TOKENS: 2 token\(s\)/),
  ]);
});

it('F86: invalid settings are reported as at the start, with --json as JSON', async () => {
  let printed = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  onTestFinished(() => stdout.mockRestore());
  const env = { FORWARD_URL: 'https://hush.example', LOG_LEVEL: 'loud' };
  expect(await doctor({ env, json: true })).toBe(false);
  expect(JSON.parse(printed)).toMatchObject({
    ok: false,
    findings: [
      { area: 'configuration', check: 'LOG_LEVEL', result: 'fail' },
      { area: 'configuration', check: 'FORWARD_URL', result: 'fail' },
    ],
  });
  expect(printed).not.toContain('hush');
  await expect(doctor({ env, json: false })).rejects.toThrow(ConfigError);
  await expect(doctor({ env: {}, json: true, callbackUrl: 'here' })).rejects.toThrow(/--callback-url/);
});

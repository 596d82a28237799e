import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPlatformClient } from '../../src/platform/client/index.js';
import type { WireProfile } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { checkDatabase } from '../../src/tools/doctor/database.js';
import { examine } from '../../src/tools/doctor/examine.js';
import type { Finding } from '../../src/tools/doctor/finding.js';
import { asJson, beforeGoingLive, isSound, toLine } from '../../src/tools/doctor/report.js';
import { contraryProfile } from '../profiles/contrary.js';
import { callbackSecret } from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { embeddedLane, ownDatabase } from '../support/database.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { platformKeys } from '../support/handover-parts.js';
import { deadAddress } from '../support/http-peer.js';
import { startReceiver } from '../support/intake.js';
import { booking } from '../support/platform-client.js';
import { readJson } from '../support/process.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';

const lane = embeddedLane();
let database: HandoverDatabase;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let engine: TestDevServer;
let folder: string;
const platforms = {} as Record<'default' | 'contrary', TestSandbox>;
const hour = 3_600_000;

beforeAll(async () => {
  [database, engine, platforms.default, platforms.contrary] = await Promise.all([
    ...([lane.open(), devServer()] as const),
    ...([speaking(defaultProfile), speaking(contraryProfile)] as const),
  ]);
  receiver = await startReceiver(database);
  folder = await mkdtemp(join(tmpdir(), 'handover-doctor-'));
});
afterAll(async () => {
  await receiver?.close();
  await database?.close();
  await engine?.stop();
  for (const platform of Object.values(platforms)) await platform.dispose();
  await rm(folder, { recursive: true, force: true });
});

const settings = (changes: Record<string, string> = {}) => ({
  HANDOVER_DATA_DIR: join(folder, 'data'),
  HANDOVER_PORT: '0',
  PLATFORM_CHANNEL_API_KEY: platformKeys.channel,
  PLATFORM_SUPPLIER_API_KEY: platformKeys.supplier,
  CALLBACK_SECRETS: callbackSecret,
  CODEC_KEYS: `${publicTestKey.id}:${publicTestKey.key.toString('base64')}`,
  HANDOVER_TOKENS: 'staff:token-of-the-doctor-test',
  TEMPORAL_ADDRESS: engine.address,
  TEMPORAL_NAMESPACE: engine.namespace,
  ...changes,
});
async function examined(changes: Record<string, string>, callbackUrl: string = receiver.origin) {
  const findings: Finding[] = [];
  for await (const finding of examine(settings(changes), callbackUrl)) findings.push(finding);
  return findings;
}
const ofResult = (findings: Finding[], result: Finding['result']) =>
  findings.filter((finding) => finding.result === result);
const of = (findings: Finding[], check: string) => findings.find((finding) => finding.check === check);
const contradicted = (findings: Finding[]) =>
  (asJson(findings, 0) as { contradicted: string[] }).contradicted;

async function requestsTo({ url }: TestSandbox): Promise<{ method: string }[]> {
  const journal = await readJson<{ items: { kind: string; method: string }[] }>(
    `${url}/sandbox/journal?limit=500`,
    platformKeys.channel,
  );
  return journal.items.filter(({ kind }) => kind === 'request');
}

/** A platform that speaks `profile`, with something of each kind to read in the week to come. */
async function speaking(profile: WireProfile): Promise<TestSandbox> {
  const sandbox = await startTestSandbox({ profile });
  const client = createPlatformClient({ baseUrl: sandbox.url, profile, keys: platformKeys });
  const startAt = Date.now() + 24 * hour;
  const [product] = await client.listProducts({ productApproveStatus: 1 });
  await client.book({ ...booking, productId: product?.productId ?? 0, startAt, endAt: startAt + hour });
  const cars = await client.listCars({}, { as: 'supplier' });
  const period = { startAt: startAt + 24 * hour, endAt: startAt + 25 * hour };
  await client.addSchedule({ carId: cars.at(-1)?.carId ?? 0, ...period, reason: 'inspection' });
  await client.addCarMemo(cars[0]?.carId ?? 0, { content: 'PERSONAL words of a memo' });
  await client.close();
  return sandbox;
}

describe.each([
  ['default', defaultProfile],
  ['contrary', contraryProfile],
] as const)('a platform that matches the profile: %s', (_, profile) => {
  it('F80, F81, F85: the doctor reports no problem, and only reads', async () => {
    const sandbox = platforms[profile.name as keyof typeof platforms];
    await fetch(`${sandbox.url}/sandbox/journal`, { method: 'DELETE' });
    const findings = await examined({ PLATFORM_BASE_URL: sandbox.url, WIRE_PROFILE: await named(profile) });
    expect(ofResult(findings, 'fail').map(toLine)).toEqual([]);
    expect(contradicted(findings)).toEqual([]);
    const kept = new Set(findings.flatMap(({ result, gaps = [] }) => (result === 'ok' ? gaps : [])));
    expect([...kept].toSorted()).toEqual([
      'G03',
      'G04',
      'G05',
      'G06',
      'G07',
      'G08',
      'G09',
      'G10',
      'G18',
      'G19',
      'G21',
      'G22',
      'G23',
      'G25',
      'G26',
      'G27',
    ]);
    const requests = await requestsTo(sandbox);
    expect(requests.length).toBeGreaterThan(10);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    const output = JSON.stringify(findings) + findings.map(toLine).join();
    for (const secret of [
      ...Object.values(platformKeys),
      callbackSecret,
      'PERSONAL',
      'token-of-the-doctor-test',
    ])
      expect(output).not.toContain(secret);
    expect(await database.db.select().from(inbox)).toEqual([]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

it('F82: the doctor names the gaps that another platform contradicts, with what to do', async () => {
  const findings = await examined({ PLATFORM_BASE_URL: platforms.contrary.url });
  expect(isSound(findings)).toBe(false);
  // of the gaps in which it differs (contraryProfile.differs) these show in reads
  expect(contradicted(findings)).toEqual(['G21', 'G25']);
  expect(of(findings, 'GET /product')).toMatchObject({
    result: 'fail',
    gaps: ['G21'],
    todo: expect.stringContaining('wire profile'),
  });
  const items = findings.filter(({ check, result }) => check === 'GET /car' && result === 'ok');
  expect(items).toMatchObject([{ gaps: ['G06'] }]);
});

it('F81: unknown keys and keys of the other role are distinguished', async () => {
  const sandbox = platforms.default;
  const findings = await examined({
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_CHANNEL_API_KEY: 'an-unknown-key',
    PLATFORM_SUPPLIER_API_KEY: platformKeys.channel,
  });
  expect(of(findings, 'channel key')).toMatchObject({
    result: 'fail',
    says: expect.stringMatching(/does not know it.*401/),
  });
  expect(of(findings, 'supplier key')).toMatchObject({ result: 'ok' });
  expect(of(findings, 'role of the supplier key')).toMatchObject({
    result: 'fail',
    says: expect.stringContaining('403 FORBIDDEN'),
  });
  const swapped = await examined({
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_CHANNEL_API_KEY: platformKeys.supplier,
  });
  expect(of(swapped, 'role of the channel key')).toMatchObject({ result: 'warn', gaps: ['G26'] });
  expect(JSON.stringify(findings)).not.toContain('an-unknown-key');
});

it('F83, F85, F86: each part that does not answer, or does not fit, is named with what to do', async () => {
  const dead = await deadAddress();
  const other = `whsec_${Buffer.from('a secret that is unknown here').toString('base64')}`;
  const findings = await examined({
    PLATFORM_BASE_URL: dead,
    CALLBACK_SECRETS: `${callbackSecret},${other}`,
    DATABASE_URL: `${dead.replace('http', 'postgres')}/handover`,
    ALERT_URL: `${dead}/hush`,
    FORWARD_URL: receiver.origin,
    FORWARD_SECRET: `whsec_${Buffer.from('the receiver knows not this one').toString('base64')}`,
  });
  const failed = ofResult(findings, 'fail');
  expect(failed.map(({ check }) => check)).toEqual([
    'ALERT_SECRET',
    'PLATFORM_BASE_URL: connection',
    '--callback-url: secret 2',
    'DATABASE_URL',
    'ALERT_URL: connection',
    'FORWARD_URL: secret 1',
  ]);
  expect(failed.every(({ todo }) => todo !== undefined)).toBe(true);
  expect(of(findings, '--callback-url: secret 1')).toMatchObject({ result: 'ok' });
  expect(of(findings, 'worker of handover, workflows')).toMatchObject({
    result: 'warn',
    says: 'no worker polls',
  });
  expect(of(findings, 'search attributes')).toMatchObject({ result: 'ok' });
  expect(beforeGoingLive(findings)).toEqual({ firewall: 'fail', authentication: 'skip', callbacks: 'fail' });
  expect(JSON.stringify(findings)).not.toContain('hush');
  expect(await database.db.select().from(inbox)).toEqual([]);
});

it('F86: a subject that cannot be examined does not prevent the others', async () => {
  const file = join(folder, 'temporal.toml');
  await writeFile(file, 'hush = [ this is no TOML');
  const findings = await examined({ PLATFORM_BASE_URL: await deadAddress(), TEMPORAL_CONFIG_FILE: file });
  expect(JSON.stringify(findings)).not.toContain('hush');
  expect(findings.find(({ area }) => area === 'temporal')).toMatchObject({
    check: 'all of it',
    result: 'fail',
  });
  expect(of(findings, 'BLOB_URL')).toMatchObject({ result: 'ok' });
});

const server = process.env.HANDOVER_TEST_DATABASE_URL;
describe.skipIf(server === undefined)('a Postgres', () => {
  const own = ownDatabase(server ?? '');
  const checkedTables = async (url: string) => {
    const found: Finding[] = [];
    for await (const finding of checkDatabase(url)) found.push(finding);
    return found.map(({ check, result }) => `${result} ${check}`);
  };

  it('F86: is only read; its tables are reported as behind, up to date, or added to by a newer release', async () => {
    const url = await own();
    expect(await checkedTables(url)).toEqual(['ok DATABASE_URL', 'warn tables', 'ok sessions']);
    const opened = await openHandoverDatabase({ url, folder: '' });
    onTestFinished(() => opened.close());
    const isThere = await opened.db.execute(sql`select to_regclass('inbox') is not null as there`);
    expect(isThere).toMatchObject({ rows: [{ there: true }] });
    expect(await checkedTables(url)).toEqual([
      'ok DATABASE_URL',
      'ok tables',
      'ok stored callbacks',
      'ok sessions',
    ]);
    await opened.db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 99999999999999)`,
    );
    expect(await checkedTables(url)).toEqual([
      'ok DATABASE_URL',
      'warn tables',
      'ok stored callbacks',
      'ok sessions',
    ]);
  });
});

/** What WIRE_PROFILE has to be: a module of one's own loads outside of the tests, and finds the profile here. */
async function named(profile: WireProfile): Promise<string> {
  if (profile === defaultProfile) return 'default';
  Object.assign(globalThis, { profileOfThisTest: profile });
  const file = join(folder, 'profile.mjs');
  await writeFile(file, 'export default globalThis.profileOfThisTest;');
  return file;
}

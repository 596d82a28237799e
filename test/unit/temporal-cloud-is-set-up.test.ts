import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { searchAttributes } from '../../src/contract/search-attributes.js';
import { FakeCloud } from '../support/temporal-cloud.js';

const inCloud = JSON.parse(
  readFileSync(new URL('../../deploy/temporal-cloud/search-attributes.json', import.meta.url), 'utf8'),
);
const script = fileURLToPath(new URL('../../deploy/temporal-cloud/setup.mjs', import.meta.url));
const wanted = ['--namespace', 'handover-prod', '--region', 'aws-ap-northeast-1'];
let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.start();
});
afterEach(() => cloud.close());

async function setUp(args: string[] = wanted, key = 'admin-key') {
  const env = { PATH: process.env.PATH, TEMPORAL_CLOUD_API_KEY: key, TEMPORAL_CLOUD_OPS_API: cloud.url };
  const child = spawn(process.execPath, [script, ...args], { env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, settings: output.trim().split('\n'), problems };
}

it('the script has every search attribute of Handover with its type', () => {
  const types = Object.values(searchAttributes).map(({ name, type }) => [
    name,
    `SEARCH_ATTRIBUTE_TYPE_${type}`,
  ]);
  expect(inCloud).toEqual(Object.fromEntries(types));
});

it('a new account gets a namespace with the search attributes and a service account that may write to it alone; the settings are printed', async () => {
  const { code, settings } = await setUp();
  expect(code).toBe(0);
  expect(settings).toEqual([
    'TEMPORAL_ADDRESS=handover-prod.a1b2c.tmprl.cloud:7233',
    'TEMPORAL_NAMESPACE=handover-prod.a1b2c',
    'TEMPORAL_API_KEY=the-token',
  ]);
  expect(cloud.namespaces.map(({ spec }) => spec)).toEqual([
    {
      name: 'handover-prod',
      regions: ['aws-ap-northeast-1'],
      retentionDays: 30,
      apiKeyAuth: { enabled: true },
      searchAttributes: inCloud,
    },
  ]);
  const [account] = cloud.accounts;
  expect(account?.spec.namespaceScopedAccess).toEqual({
    namespace: 'handover-prod.a1b2c',
    access: { permission: 'PERMISSION_WRITE' },
  });
  expect(cloud.keys).toMatchObject([{ ownerId: account?.id, ownerType: 'OWNER_TYPE_SERVICE_ACCOUNT' }]);
});

it('repeated it changes nothing and makes no key, unless one is wanted', async () => {
  cloud.accounts.push({ id: 'another', spec: { name: 'of-another-team' } });
  await setUp();
  const again = await setUp();
  expect([again.code, again.settings.length]).toEqual([0, 2]);
  expect([cloud.namespaces.length, cloud.accounts.length, cloud.keys.length]).toEqual([1, 2, 1]);
  expect((await setUp([...wanted, '--new-key'])).settings).toContain('TEMPORAL_API_KEY=the-token');
  expect(cloud.keys).toHaveLength(2);
});

it('a namespace that exists retains its own attributes and retention, and gets what is missing', async () => {
  const own = {
    name: 'handover-prod',
    retentionDays: 7,
    searchAttributes: { Own: 'SEARCH_ATTRIBUTE_TYPE_TEXT' },
  };
  const endpoints = { grpcAddress: 'handover-prod.a1b2c.tmprl.cloud:7233' };
  cloud.namespaces.push({ namespace: 'handover-prod.a1b2c', spec: own, resourceVersion: 'v7', endpoints });
  expect((await setUp()).code).toBe(0);
  expect(cloud.namespaces[0]?.spec).toEqual({
    name: 'handover-prod',
    retentionDays: 7,
    apiKeyAuth: { enabled: true },
    searchAttributes: { Own: 'SEARCH_ATTRIBUTE_TYPE_TEXT', ...inCloud },
  });
});

it('an attribute of another type, a wrong key, and an operation that fails are reported, with exit code 1', async () => {
  expect(await setUp(wanted, 'wrong-key')).toMatchObject({
    code: 1,
    problems: expect.stringContaining('401'),
  });
  expect(await setUp([])).toMatchObject({ code: 1, problems: expect.stringContaining('usage') });
  cloud.outcome = 'STATE_FAILED';
  const failed = await setUp();
  expect(failed).toMatchObject({
    code: 1,
    problems: expect.stringContaining('the account has no more namespaces'),
  });
  const spec = { name: 'handover-prod', searchAttributes: { HandoverCarId: 'SEARCH_ATTRIBUTE_TYPE_TEXT' } };
  cloud.namespaces.push({ namespace: 'handover-prod.a1b2c', spec, resourceVersion: 'v7', endpoints: {} });
  const different = await setUp();
  expect(different).toMatchObject({ code: 1, problems: expect.stringContaining('HandoverCarId is') });
});

// Creates what Handover needs in Temporal Cloud: a namespace with API keys and the search attributes, and a service account that
// may write to this namespace alone. It may be repeated: what exists stays, what is missing is added.
//
//   TEMPORAL_CLOUD_API_KEY=… node deploy/temporal-cloud/setup.mjs --namespace handover-prod --region aws-ap-northeast-1
//
// The key is that of an account owner or global admin. Standard output is the settings for `handover worker` and `handover api`;
// it ends with TEMPORAL_API_KEY where a key was made: for a new service account, and with --new-key.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudApi } from './cloud-api.mjs';

/** Of src/contract/search-attributes.ts (a test compares them), with Temporal Cloud's names of the types. */
const searchAttributes = JSON.parse(
  readFileSync(new URL('./search-attributes.json', import.meta.url), 'utf8'),
);

const usage = `usage: TEMPORAL_CLOUD_API_KEY=… node deploy/temporal-cloud/setup.mjs --namespace NAME --region REGION
  [--retention-days 30] [--new-key] [--key-days 90]`;

try {
  const { values } = parseArgs({
    options: {
      namespace: { type: 'string' },
      region: { type: 'string' },
      'retention-days': { type: 'string', default: '30' },
      'new-key': { type: 'boolean', default: false },
      'key-days': { type: 'string', default: '90' },
    },
  });
  const key = process.env.TEMPORAL_CLOUD_API_KEY;
  if (!key || !values.namespace || !values.region) throw new Error(usage);
  const server = process.env.TEMPORAL_CLOUD_OPS_API ?? 'https://saas-api.tmprl.cloud';
  await setUp(new CloudApi(server, key), {
    name: values.namespace,
    region: values.region,
    retentionDays: days('retention-days', values['retention-days']),
    keyDays: days('key-days', values['key-days']),
    newKey: values['new-key'],
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function setUp(api, wanted) {
  const namespace = await namespaceOf(api, wanted);
  const account = await accountOf(api, `${wanted.name}-handover`, namespace.namespace);
  console.log(`TEMPORAL_ADDRESS=${namespace.endpoints.grpcAddress}`);
  console.log(`TEMPORAL_NAMESPACE=${namespace.namespace}`);
  if (!account.isNew && !wanted.newKey) {
    console.error('The service account existed: no key was made (--new-key makes one).');
    return;
  }
  const expiryTime = new Date(Date.now() + wanted.keyDays * 86_400_000).toISOString();
  const owner = { ownerId: account.id, ownerType: 'OWNER_TYPE_SERVICE_ACCOUNT' };
  const made = await api.post('/cloud/api-keys', {
    spec: { ...owner, displayName: `${wanted.name}-handover`, expiryTime },
  });
  await finished(api, made.asyncOperation);
  console.log(`TEMPORAL_API_KEY=${made.token}`);
  console.error(`The key ends at ${expiryTime}: make the next one before.`);
}

/** The namespace as it is afterwards. */
async function namespaceOf(api, { name, region, retentionDays }) {
  const [found] = await api.list('/cloud/namespaces', 'namespaces', { name });
  if (found === undefined) {
    const spec = { name, regions: [region], retentionDays, apiKeyAuth: { enabled: true }, searchAttributes };
    const { namespace, asyncOperation } = await api.post('/cloud/namespaces', { spec });
    console.error(`Namespace ${namespace}: creating it …`);
    await finished(api, asyncOperation);
    return (await api.get(`/cloud/namespaces/${namespace}`)).namespace;
  }
  const { namespace, spec, resourceVersion } = found;
  const present = spec.searchAttributes ?? {};
  const different = Object.entries(searchAttributes).filter(
    ([attribute, type]) => (present[attribute] ?? type) !== type,
  );
  if (different.length > 0) {
    const list = different.map(([attribute, type]) => `${attribute} is ${present[attribute]}, not ${type}`);
    throw new Error(`Namespace ${namespace} has search attributes of other types: ${list.join('; ')}`);
  }
  const isComplete = Object.keys(searchAttributes).every((attribute) => attribute in present);
  if (isComplete && spec.apiKeyAuth?.enabled) return found;
  const complete = {
    ...spec,
    apiKeyAuth: { enabled: true },
    searchAttributes: { ...present, ...searchAttributes },
  };
  console.error(`Namespace ${namespace}: adding what is missing …`);
  const path = `/cloud/namespaces/${namespace}`;
  const { asyncOperation } = await api.post(path, { spec: complete, resourceVersion });
  await finished(api, asyncOperation);
  return (await api.get(path)).namespace;
}

/** The service account of that name; `isNew`: it was made now. */
async function accountOf(api, name, namespace) {
  const accounts = await api.list('/cloud/service-accounts', 'serviceAccount');
  const found = accounts.find(({ spec }) => spec.name === name);
  if (found !== undefined) {
    const scope = found.spec.namespaceScopedAccess?.namespace;
    if (scope !== namespace) throw new Error(`Service account ${name} is not of namespace ${namespace}`);
    return { id: found.id, isNew: false };
  }
  const access = { permission: 'PERMISSION_WRITE' };
  const spec = { name, description: 'Handover', namespaceScopedAccess: { namespace, access } };
  const { serviceAccountId, asyncOperation } = await api.post('/cloud/service-accounts', { spec });
  console.error(`Service account ${name}: creating it …`);
  await finished(api, asyncOperation);
  return { id: serviceAccountId, isNew: true };
}

/** Waits for an operation. @throws with its reason where it fails */
async function finished(api, operation) {
  let last = operation;
  for (const giveUpAt = Date.now() + 30 * 60_000; Date.now() < giveUpAt; ) {
    if (last.state === 'STATE_FULFILLED') return;
    if (/_(FAILED|CANCELLED|REJECTED)$/.test(last.state))
      throw new Error(`Temporal Cloud did not do it: ${last.state} ${last.failureReason ?? ''}`);
    await sleep(1_000 * Number.parseFloat(last.checkDuration ?? '2s'));
    last = (await api.get(`/cloud/operations/${last.id}`)).asyncOperation;
  }
  throw new Error(`Temporal Cloud has not finished operation ${operation.id} within half an hour`);
}

function days(option, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${option} is a number of days, not ${text}\n${usage}`);
}

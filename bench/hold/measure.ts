import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import {
  createSender,
  type HttpAnswer,
  type KeyedWrite,
  mustSucceed,
  sendWrite,
} from '../../src/tools/player/http.js';
import { access, type Target } from '../target.js';

/** Times and platform requests of one hold or release. */
export interface Held {
  /** Milliseconds until the answer of the status API. */
  status: number;
  answeredMs: number;
  /** Milliseconds from the request until the hold has its target state. */
  doneMs: number;
  /** Requests to the platform, by operation. */
  calls: Record<string, number>;
}

const carId = 1001;
const day = 86_400_000;
/** Each request has its own connection, because the server may close an idle one at the same moment. */
const dispatcher = new Agent({ pipelining: 0 });
const giveUpAfterMs = 10 * 60_000;

/** Puts the car into more products, then holds and releases it once. @throws Error where a step fails */
export async function holdOnce(target: Target, products: number): Promise<{ made: Held; released: Held }> {
  await sandboxListens(target);
  // one product of the seed fleet already has this car
  for (let count = 1; count < products; count++) await addProduct(target, count);
  const now = Date.now();
  const body = {
    carId,
    startAt: new Date(now).toISOString(),
    endAt: new Date(now + day).toISOString(),
    reason: 'maintenance',
    withdrawFromSale: true,
  };
  const made = await measureRequest(target, { method: 'POST', path: '/api/holds', body, until: 'active' });
  const path = '/api/holds/hold-made';
  const released = await measureRequest(target, { method: 'DELETE', path, body: {}, until: 'released' });
  return { made, released };
}

type Method = 'GET' | 'POST' | 'DELETE';

interface HoldRequest {
  method: 'POST' | 'DELETE';
  path: string;
  body: object;
  until: 'active' | 'released';
}

async function measureRequest(target: Target, { method, path, body, until }: HoldRequest): Promise<Held> {
  await sandbox(target, 'DELETE', '/journal');
  const key = until === 'active' ? 'hold-made' : 'hold-released';
  const begun = performance.now();
  const since = () => Math.round(performance.now() - begun);
  const { status, body: answer } = await callApi(target, method, path, { body, key });
  const answeredMs = since();
  if (status >= 400) throw new Error(`${method} ${path} answered ${status} ${answer.code}`);
  let { state, sale } = answer;
  while (state !== until) {
    if (since() > giveUpAfterMs) throw new Error(`the hold is still ${state}`);
    await sleep(100);
    ({ state, sale } = (await callApi(target, 'GET', '/api/holds/hold-made')).body);
  }
  const wanted = until === 'active' ? 'ours' : 'restored';
  const wrong = sale.filter((one: { state: string }) => one.state !== wanted).length;
  if (wrong > 0) throw new Error(`${wrong} products are not ${wanted}`);
  return { status, answeredMs, doneMs: since(), calls: await calls(target) };
}

/** Requests to the sandbox since its journal was emptied. */
async function calls(target: Target): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let after: number | null = 0; after !== null; ) {
    const query = `/journal?kind=request&limit=500&after=${after}`;
    const page: { items: { operation: string }[]; next: number | null } = await sandbox(target, 'GET', query);
    for (const { operation } of page.items) counts[operation] = (counts[operation] ?? 0) + 1;
    after = page.next;
  }
  return counts;
}

/** Retries, because the sandbox may answer a moment later than the status API. */
async function sandboxListens(target: Target): Promise<void> {
  for (const begun = performance.now(); ; await sleep(100)) {
    const clock = await sandbox(target, 'GET', '/clock').catch(() => undefined);
    if (clock !== undefined) return;
    if (performance.now() - begun > 30_000) throw new Error('the sandbox did not start');
  }
}

function addProduct(target: Target, count: number): Promise<unknown> {
  return sandbox(target, 'POST', '/products', {
    businessLicenseId: access.companyId,
    productName: `Product ${count}`,
    carIds: [carId],
    farePlan: { fareId: 701 },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: callers know the form of the answer
async function sandbox({ sandboxUrl }: Target, method: Method, path: string, body?: object): Promise<any> {
  const send = mustSucceed(createSender(sandboxUrl, access.supplierKey, { dispatcher }));
  return (await send(method, `/sandbox${path}`, body && { body })).body;
}

function callApi({ apiUrl }: Target, method: Method, path: string, write?: KeyedWrite): Promise<HttpAnswer> {
  const send = createSender(apiUrl, access.token, { dispatcher });
  return write === undefined ? send(method, path) : sendWrite(send, method, path, write);
}

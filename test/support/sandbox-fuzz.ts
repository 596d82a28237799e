import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationName, WireProfile } from '../../src/platform/profile.js';
import { startReceiver } from './callback-receiver.js';
import { type FuzzRequest, requestsOf, wellFormed } from './fuzz-requests.js';
import { keys, startTestSandbox } from './sandbox.js';
import { jpeg, sandboxClient } from './sandbox-client.js';

/** Controls that would end the run's state, or are about time and faults, which have tests of their own. */
const aside = /^\/sandbox\/(reset|snapshots?|restore|faults|clock|callbacks|traffic)|^\/photos|^\/docs/;

/**
 * Sends at least `atLeast` requests, several at a time, to a sandbox of its own with a fleet, reservations and a
 * receiver. Every answer must come, be below 500 and carry a code of the profile where it is a refusal; afterwards
 * the sandbox's invariants must hold.
 * @returns how many requests got which status, and the operations that succeeded at least once
 */
export async function fuzzSandbox(options: {
  profile: WireProfile;
  atLeast: number;
  seed: number;
  databaseUrl?: string;
}) {
  const { profile, atLeast, seed, databaseUrl } = options;
  const receiver = await startReceiver();
  const sandbox = await startTestSandbox({ profile, databaseUrl, callback: { url: receiver.url } });
  const client = sandboxClient(sandbox);
  const answered: Record<number, number> = {};
  const succeeded = new Set<string>();
  const roleOf = (operation: string) =>
    profile.operations[operation as OperationName]?.roles.at(-1) ?? 'anonymous';
  try {
    await prepare(client);
    const document = (await client.call('GET', '/docs/json')).body;
    const batch = fc.array(
      requestsOf(document, (path) => !aside.test(path), roleOf),
      { minLength: 8, maxLength: 8 },
    );
    const check = async (requests: FuzzRequest[]) => {
      const answers = await Promise.all(requests.map((request) => send(request)));
      for (const [index, { status, ok }] of answers.entries()) {
        answered[status] = (answered[status] ?? 0) + 1;
        if (ok) succeeded.add(requests[index]?.operation ?? '');
      }
    };
    await fc.assert(fc.asyncProperty(batch, check), {
      numRuns: Math.ceil(atLeast / 8),
      seed,
      endOnFailure: true,
    });
    expect((await client.control('GET', '/clock')).status).toBe(200);
  } finally {
    await sandbox.dispose();
    await receiver.close();
  }
  return { answered, succeeded };

  async function send(request: FuzzRequest): Promise<Response> {
    const response = await fetch(sandbox.url + request.path, {
      ...initOf(request),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    const said = `${request.method} ${request.path} answered ${response.status} ${text.slice(0, 300)}`;
    expect(response.status, said).toBeLessThan(500);
    if (response.status >= 400)
      expect(profile.errors.decode(response.status, JSON.parse(text)), said).toBeDefined();
    return response;
  }
}

/** Six reservations at each status on the way, and external schedules of car 1001. */
async function prepare(client: ReturnType<typeof sandboxClient>): Promise<void> {
  const steps: ((id: number) => Promise<unknown>)[] = [
    (id) => client.command('PUT', id, 'dispatch/start'),
    (id) => client.command('PUT', id, 'dispatch/complete', {}),
    (id) => client.customer(id, 'start-use'),
    (id) => client.customer(id, 'return'),
  ];
  for (let n = 0; n < 30; n++) {
    const { body } = await client.book();
    for (const step of steps.slice(0, n % 5)) await step(body.reservationId);
  }
  for (let n = 0; n < 30; n++) {
    const { startAt, endAt } = client.nextPeriod();
    const body = { carId: 1001, startDateTimeStr: startAt, endDateTimeStr: endAt, reason: '점검' };
    await client.call('POST', '/schedule', { key: keys.supplier, body });
  }
}

function initOf({ method, as, body, form }: FuzzRequest): RequestInit {
  const key = as === 'anonymous' ? undefined : as === 'stranger' ? 'a-key-of-a-stranger' : keys[as];
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (form !== undefined) return { method, headers: authorization, body: formOf(form) };
  if (body === undefined) return { method, headers: authorization };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, headers: { ...authorization, 'content-type': 'application/json' }, body: text };
}

/** The file's part is a photo where the schema's own value came, and whatever else came as a file's bytes. */
function formOf(form: unknown): FormData {
  const parts = new FormData();
  if (typeof form !== 'object' || form === null) return parts;
  for (const [name, value] of Object.entries(form)) {
    const bytes = typeof value === 'string' ? jpeg : new TextEncoder().encode(JSON.stringify(value) ?? '');
    if (name === 'image') parts.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'photo.jpg');
    else parts.append(wellFormed(name), wellFormed(String(value)));
  }
  return parts;
}

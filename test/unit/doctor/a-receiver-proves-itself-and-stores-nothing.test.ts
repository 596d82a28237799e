import { expect, it } from 'vitest';
import { createCheck, type Finding } from '../../../src/tools/doctor/finding.js';
import { judgeCertificate, reach } from '../../../src/tools/doctor/reach.js';
import { checkReceiver } from '../../../src/tools/doctor/receiver.js';
import { callbackSecret, wire } from '../../support/callbacks.js';
import { answering, deadAddress, httpPeer } from '../../support/http-peer.js';

const { paths } = wire;
const problem = (status: number, code: string) => answering(status, { code, detail: 'words of the PEER' });
async function checked(
  answer: Parameters<typeof httpPeer>[0],
  how: Partial<Parameters<typeof checkReceiver>[0]> = {},
) {
  const peer = await httpPeer(answer);
  const found: Finding[] = [];
  const receiver = { area: 'callbacks', name: 'R', auth: 'standard-webhooks', goLive: 'callbacks' } as const;
  const secrets = [callbackSecret];
  for await (const finding of checkReceiver({ ...receiver, url: peer.url, paths, secrets, ...how }))
    found.push(finding);
  const output = JSON.stringify(found);
  for (const secret of ['PEER', ...secrets, ...(how.secrets ?? [])]) expect(output).not.toContain(secret);
  return { requests: peer.requests, results: found.map(({ check, result }) => `${result} ${check}`), found };
}

it('F85: each path gets a request with nothing to store, and a request of yesterday proves the secret', async () => {
  const { requests, results } = await checked((response, { headers }) =>
    problem(401, 'webhook-id' in headers ? 'TIMESTAMP_STALE' : 'SIGNATURE_MISSING')(response, {} as never),
  );
  expect(results.filter((line) => !line.startsWith('ok'))).toEqual(['skip R: TLS']);
  expect(requests.map(({ url }) => url)).toEqual([...Object.values(paths), paths.registration]);
  for (const { method, body, headers } of requests) {
    expect([method, body.toString()]).toEqual(['POST', '{}']);
    const at = headers['webhook-timestamp'];
    if (at !== undefined) expect(Date.now() / 1000 - Number(at)).toBeGreaterThan(86_000);
  }
});

it.each([
  ['it takes what is not signed', answering(204), ['fail R: registration']],
  ['it has no such path', problem(404, 'NOT_FOUND'), ['fail R: registration']],
  ['it is something else', answering(200, '<html>'), ['fail R: registration']],
  ['something in front of it refuses', answering(502), ['fail R: registration']],
  ['it does not know the secret', problem(401, 'SIGNATURE_MISMATCH'), ['fail R: secret 1']],
  [
    'it does not know this address',
    problem(403, 'ADDRESS_NOT_ALLOWED'),
    [...Object.keys(paths).map((kind) => `warn R: ${kind}`), 'skip R: secret 1'],
  ],
] as const)('F85: %s', async (_, answer, expected) => {
  const { results, found } = await checked(answer);
  const noted = results.filter((line) => !line.startsWith('ok') && line !== 'skip R: TLS');
  expect(noted).toEqual(expected);
  for (const { result, todo } of found) if (result === 'fail') expect(todo).toMatch(/\S/);
});

it('F85: a receiver that requires no proof gets no request, because it would store it', async () => {
  const { requests, results } = await checked(answering(204), { auth: 'none', secrets: [] });
  expect(requests).toEqual([]);
  expect(results.at(-1)).toBe('warn R: proof');
});

it('F85: the secret in a path is never sent: another one is sent and has to be refused', async () => {
  const secrets = ['a-secret-that-stands-in-the-path'];
  const { requests, results } = await checked(problem(401, 'CALLBACK_UNAUTHORIZED'), {
    auth: 'secret-path',
    secrets,
  });
  expect(requests).toHaveLength(4);
  expect(JSON.stringify(requests)).not.toContain(secrets[0]);
  expect(requests[0]?.url).toMatch(/^\/[\w-]{36}\/events\/reservation$/);
  expect(results.at(-1)).toBe('skip R: secret');
});

async function reached(address: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of reach(address, { area: 'posts', name: 'A', goLive: 'firewall' }))
    found.push(finding);
  return found;
}

it('F80: an unknown host name, a closed port and a port without TLS are distinguished', async () => {
  expect(await reached('https://no-such-host.invalid/x')).toMatchObject([
    { check: 'A: name', result: 'fail' },
  ]);
  expect(await reached(await deadAddress())).toMatchObject([{ check: 'A: connection', result: 'fail' }]);
  const plain = await httpPeer(answering(204));
  expect(await reached(plain.url.replace('http:', 'https:'))).toMatchObject([
    { check: 'A: connection', result: 'ok', goLive: 'firewall' },
    { check: 'A: TLS', result: 'fail' },
  ]);
  expect(plain.requests).toEqual([]);
});

it.each([
  [{}, 90, 'ok', '90 more day(s)'],
  [{}, 20, 'warn', '20 more day(s)'],
  [{ refusedFor: 'CERT_HAS_EXPIRED' }, -1, 'fail', 'CERT_HAS_EXPIRED'],
  [{ refusedFor: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 90, 'fail', 'ALTNAME'],
] as const)('F80: a certificate %j, %d days to its end, is %s', (seen, days, result, words) => {
  const now = Date.UTC(2026, 10, 21);
  const validTo = now + days * 86_400_000;
  const finding = judgeCertificate(
    createCheck('platform', 'TLS'),
    'h',
    { protocol: 'TLSv1.3', validTo, ...seen },
    now,
  );
  expect(finding.result).toBe(result);
  expect(finding.says).toContain(words);
});

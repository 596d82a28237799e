import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isLocalOnly, leadsTo, originOf } from '../../src/app/config/address.js';
import { describeConfig, loadConfig } from '../../src/app/config/index.js';
import { claimPort } from '../../src/temporal/server/ports.js';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::0', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['0:0:0:0:0:0:0:1', 'http://[::1]:8080'],
  ['2001:DB8::7', 'http://[2001:db8::7]:8080'],
  ['192.0.2.7', 'http://192.0.2.7:8080'],
  ['Handover.example', 'http://handover.example:8080'],
  ['handover_api', 'http://handover_api:8080'],
])('HANDOVER_HOST=%s is reached at %s', (host, origin) => {
  expect(originOf(host, 8080)).toBe(origin);
  expect(new URL(originOf(host, 8080)).port).toBe('8080');
});

it('a URL leads to a listener by any name of this machine, and to no other machine', () => {
  expect(leadsTo('[::1]', '0:0:0:0:0:0:0:1')).toBe(true);
  expect(leadsTo('localhost', '::')).toBe(true);
  expect(leadsTo('[2001:db8::7]', '2001:DB8:0::7')).toBe(true);
  expect(leadsTo('supplier.example', '::')).toBe(false);
});

it.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['0:0:0:0:0:0:0:1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.7', false],
])('HANDOVER_HOST=%s is reached from this machine alone: %s', (host, isLocal) => {
  expect(isLocalOnly(host)).toBe(isLocal);
});

it('the log separates an IPv6 address from its port', () => {
  expect(describeConfig(loadConfig({ HANDOVER_HOST: '::1' }))).toContain(
    'status API and callback receiver: [::1]:8080',
  );
});

it('an address that this machine does not have is refused in one line that names the variable', async () => {
  await expect(claimPort(0, 'status API', 'HANDOVER_PORT', '192.0.2.7')).rejects.toThrow(/^.*HANDOVER_HOST$/);
});

const loopbacks = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ internal }) => internal)
  .map(({ address }) => address);
const hosts = ['127.0.0.1', '0.0.0.0', 'localhost', ...(loopbacks.includes('::1') ? ['::1', '::'] : [])];
describe.each(hosts)('a server on %s', (host) => {
  it('answers at the address that is printed for it, on a port that was free there', async () => {
    const port = await claimPort(0, 'test', 'HANDOVER_PORT', host);
    const server = createServer((_, response) => response.end('here'));
    await new Promise<void>((listening) => server.listen(port, host, listening));
    try {
      expect(await (await fetch(originOf(host, port))).text()).toBe('here');
      await expect(claimPort(port, 'test', 'HANDOVER_PORT', host)).rejects.toThrow('HANDOVER_PORT');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { TemporalTarget } from '../../src/temporal/connection/connection.js';
import type { Finding } from '../../src/tools/doctor/finding.js';
import { checkTemporal } from '../../src/tools/doctor/temporal.js';
import { usesTls } from '../../src/tools/doctor/worker-connection.js';
import { newCertificate } from '../support/certificate.js';
import { devServer, type TestDevServer } from '../support/engine.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

/** Temporal behind TLS. `onClient` is called once the first connection, which is a client's, is open. */
async function overTls(onClient: (server: Server) => void = () => {}) {
  const { key, cert } = await newCertificate();
  const { port, hostname } = new URL(`http://${engine.address}`);
  let connections = 0;
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => {
    if (++connections === 1) onClient(server);
    const service = connect(Number(port), hostname);
    socket.on('error', () => service.destroy());
    service.on('error', () => socket.destroy());
    socket.pipe(service).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target: TemporalTarget = {
    address,
    namespace: engine.namespace,
    options: { address, tls: { serverRootCACertificate: cert, serverNameOverride: 'localhost' } },
  };
  return { target, connections: () => connections };
}

async function checked(target: TemporalTarget): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of checkTemporal(target)) found.push(finding);
  return found;
}

it('with TLS a connection of a worker is opened too', async () => {
  const { target, connections } = await overTls();
  expect(await checked(target)).toMatchObject([
    { check: 'service', result: 'ok' },
    { check: 'namespace', result: 'ok' },
    ...Array.from({ length: 6 }, () => ({ area: 'temporal' })),
  ]);
  expect(connections()).toBe(2);
});

it('a certificate that a client trusts and a worker does not is a failure, and states what to do', async () => {
  const other = await newCertificate();
  const { target } = await overTls((server) => server.setSecureContext(other));
  const [service, namespace] = await checked(target);
  expect(service).toMatchObject({
    check: 'service',
    result: 'fail',
    says: expect.stringMatching(/no worker can connect \(.*\)/),
    todo: expect.stringContaining('ca-certificates'),
  });
  expect(namespace).toMatchObject({ check: 'namespace', result: 'ok' });
});

it.each([
  [{ tls: false as const }, false],
  [{}, false],
  [{ tls: true as const }, true],
  [{ apiKey: 'a-key' }, true],
  [{ apiKey: 'a-key', tls: false as const }, false],
])('TLS of %j: %s', (options, expected) => {
  expect(usesTls({ address: 'h:7233', namespace: 'n', options })).toBe(expected);
});

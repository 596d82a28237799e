import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from '@temporalio/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { Stack } from '../../src/app/startup/stack.js';
import { startTracing } from '../../src/app/tracing/open.js';
import type { Tracing } from '../../src/contract/tracing.js';
import { createTemporalClient } from '../../src/temporal/client/create-client.js';
import { embeddedTarget } from '../../src/temporal/connection/connection.js';
import { eventually } from '../support/eventually.js';
import { startCollector } from '../support/otlp-collector.js';

const lines: { level: number; msg: string }[] = [];
const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
const start = (env: NodeJS.ProcessEnv) => {
  const stack = new Stack(log);
  return startTracing(env, { stack, log, part: 'api' }).then((tracing) => ({ tracing, stack }));
};
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };

describe('tracing', () => {
  it.each([
    ['no endpoint is set', {}],
    ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['OTEL_SDK_DISABLED', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['OTEL_TRACES_EXPORTER=none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('is off: %s', async (_, env) => {
    expect((await start(env)).tracing).toBeUndefined();
  });

  it('refuses a protocol that it does not speak, by name', async () => {
    await expect(start({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).rejects.toThrow(
      /OTEL_EXPORTER_OTLP_PROTOCOL is grpc; .*http\/protobuf or http\/json/,
    );
  });

  it('loads OpenTelemetry only where it is on', () => {
    const loaded = (env: object) => {
      const script = `
        import Module from 'node:module';
        const { startTracing } = await import('./src/app/tracing/open.ts');
        const { Stack } = await import('./src/app/startup/stack.ts');
        const log = { info() {}, warn() {}, error() {} };
        await startTracing(${JSON.stringify(env)}, { stack: new Stack(log), log, part: 'api' });
        console.log(Object.keys(Module._cache).filter((file) => file.includes('@opentelemetry')).length);
        process.exit();`;
      const args = ['--import', './test/support/typescript.mjs', '--input-type=module', '-e', script];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (stdout === '') throw new Error(stderr);
      return Number(stdout);
    };
    expect(loaded({})).toBe(0);
    expect(loaded(endpoint)).toBeGreaterThan(50);
  });

  it('intercepts the calls of Temporal only where it is on', async () => {
    const address = '127.0.0.1:9';
    const connection = Connection.lazy({ address });
    onTestFinished(() => connection.close());
    const interceptors = (tracing?: Tracing) =>
      createTemporalClient(embeddedTarget(address), connection, {}, { tracing }).client.options.interceptors
        .workflow;
    expect(interceptors()).toEqual([]);
    expect(interceptors({} as Tracing)).toHaveLength(1);
  });

  it.each([
    ['http/protobuf, the default', {}, 'application/x-protobuf'],
    ['http/json', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'application/json'],
  ])('exports by %s', async (_, env, contentType) => {
    const collector = await startCollector();
    onTestFinished(() => collector.close());
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { tracing, stack } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
    const outer = tracing?.begin({ name: 'outer', attributes: { text: 'one', count: 2, is: true } });
    outer?.run(() => tracing?.begin({ name: 'inner' }).end());
    outer?.end();
    await stack.stop();
    const way = collector.wayTo(await collector.span('inner'));
    const common = { service: 'handover-api', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) };
    expect(way).toMatchObject([
      { ...common, name: 'outer', parentSpanId: '', attributes: { text: 'one', count: 2, is: true } },
      { ...common, name: 'inner', attributes: {} },
    ]);
    for (const { from, to } of way) expect(to).toBeGreaterThanOrEqual(from);
    expect(collector.headers['content-type']).toBe(contentType);
    expect(collector.paths).toEqual(['/v1/traces']);
  });

  it.each([
    ['refuses', (response: import('node:http').ServerResponse) => response.writeHead(400).end()],
    ['is silent', () => {}],
  ])('an endpoint that %s delays no work, and a stop by seconds at most', async (_, answer) => {
    lines.length = 0;
    const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    await new Promise((listening) => server.once('listening', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
    process.env.OTEL_BSP_SCHEDULE_DELAY = '20';
    const { tracing, stack } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    for (let n = 0; n < 3; n++) tracing?.begin({ name: 'a' }).end();
    if (_ === 'refuses')
      await eventually('one line in the log', () => lines.some(({ msg }) => msg.includes('spans')));
    tracing?.begin({ name: 'b' }).end();
    const began = performance.now();
    await stack.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(lines.filter(({ msg }) => msg.includes('spans')).length).toBeLessThanOrEqual(1);
  });
});

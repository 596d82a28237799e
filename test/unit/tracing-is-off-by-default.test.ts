import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { Stack } from '../../src/app/startup/stack.js';
import { startTracing } from '../../src/app/tracing/open.js';
import { eventually } from '../support/eventually.js';

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

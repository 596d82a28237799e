import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endProcess, isAlive } from '../../src/temporal/server/process-info.js';
import { Deployment, type Run } from '../support/process.js';

// a process starts slowly on a busy machine
vi.setConfig({ testTimeout: 90_000 });

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
});
afterAll(() => deployment?.remove());

/** It ends by itself, not well, with these words alone on standard error, and no engine behind it. */
async function refuses(run: Run, words: RegExp): Promise<void> {
  expect(await run.ended).toBe(1);
  expect(run.stderr).toMatch(words);
  expect(run.stderr).not.toContain('    at ');
  expect(run.stdout).toBe('');
  expect(deployment.enginePid()).toBeUndefined();
}

describe('a port in use', () => {
  const other = createServer();
  let taken: number;
  beforeAll(async () => {
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    taken = (other.address() as AddressInfo).port;
  });
  afterAll(() => other.close());

  it.each(['HANDOVER_PORT', 'SANDBOX_PORT', 'HANDOVER_TEMPORAL_PORT', 'HANDOVER_TEMPORAL_UI_PORT'])(
    'is reported in one line that names %s',
    async (variable) => {
      const run = deployment.run(['up'], { [variable]: String(taken) });
      await refuses(
        run,
        new RegExp(`^handover: .*port ${taken} is in use by another program; set ${variable} .*\n$`),
      );
    },
  );
});

it.each([
  ['an unknown fleet', ['up'], { SANDBOX_FLEET: 'huge' }, /^handover: .*SANDBOX_FLEET.*small.*\n$/],
  ['an unknown wire profile', ['up'], { WIRE_PROFILE: 'none' }, /^handover: WIRE_PROFILE is "none".*\n$/],
  ['an unknown command', ['fly'], {}, /^handover: there is no command fly.*\n$/],
  [
    'an unknown option',
    ['up', '--fast'],
    {},
    /^handover: Unknown option '--fast'; `handover help` lists the options\n$/,
  ],
  ['a pace that is none', ['up', '--demo-pace', 'slow'], {}, /^handover: --demo-pace is slow.*\n$/],
  ['a worker without a database', ['worker'], {}, /^handover: `handover worker` needs DATABASE_URL.*\n$/],
  [
    'a worker that could not sign its alerts',
    ['worker'],
    {
      DATABASE_URL: 'postgres://handover@127.0.0.1:1/handover',
      PLATFORM_BASE_URL: 'http://127.0.0.1:1',
      PLATFORM_SUPPLIER_API_KEY: 'k',
      CODEC_KEYS: `one:${Buffer.alloc(32).toString('base64')}`,
      ALERT_URL: 'http://127.0.0.1:1/hook',
    },
    /^handover: `handover worker` needs ALERT_SECRET: .*\n$/,
  ],
  [
    'a forwarding without its secret',
    ['up'],
    { FORWARD_URL: 'http://h' },
    /^handover: .*\n {2}FORWARD_URL .*\n$/,
  ],
  [
    'F86: to the doctor, the same',
    ['doctor'],
    { FORWARD_URL: 'http://h' },
    /^handover: .*\n {2}FORWARD_URL .*\n$/,
  ],
  ['an address that is none', ['doctor', '--callback-url', 'here'], {}, /^handover: --callback-url .*\n$/],
  [
    'a protocol of traces that is not supported, before the engine begins',
    ['up'],
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /^handover: OTEL_EXPORTER_OTLP_PROTOCOL is grpc; .*\n$/,
  ],
  ['an api without a database', ['api'], {}, /^handover: `handover api` needs DATABASE_URL.*\n$/],
])('%s is reported in one line', async (_, args, env, words) => {
  await refuses(deployment.run(args, env), words);
});

it.each([
  [['--help']],
  [['doctor', '--help']],
  [['status', '-h']],
  [['release', '--help']],
  [['erase', '--by', 'dpo', '-h']],
  [['rehearse', '--help']],
  [['sandbox', 'generate', '--help']],
])('%j prints the help', async (args) => {
  const run = deployment.run(args);
  expect(await run.ended).toBe(0);
  expect(run.stderr).toBe('');
  for (const command of ['doctor [--callback-url <address>]', 'release promote [--build-id <id>'])
    expect(run.stdout).toContain(command);
});

it('all bad variables are reported at once', async () => {
  const run = deployment.run(['up'], {
    HANDOVER_PORT: 'eighty',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
  });
  await refuses(run, /^handover: the configuration has 3 problem\(s\):\n(.*\n){3}$/);
  for (const name of ['HANDOVER_PORT', 'LOG_LEVEL', 'DATABASE_URL'])
    expect(run.stderr).toContain(`  ${name} `);
});

it('a file in place of the data folder is reported in one line', async () => {
  const path = `${deployment.folder}/file`;
  await writeFile(path, '');
  for (const folder of [path, `${path}/below`]) {
    const run = deployment.run(['up'], { HANDOVER_DATA_DIR: folder });
    await refuses(run, /^handover: the data folder \S+ cannot be written .*HANDOVER_DATA_DIR\n$/);
  }
});

it('a sandbox that does not start is reported while the engine is still provided', async () => {
  const slow = join(deployment.folder, 'slow-engine');
  await writeFile(slow, '#!/bin/sh\nexec sleep 80\n', { mode: 0o755 });
  const run = deployment.run(['up'], {
    TEMPORAL_CLI_PATH: slow,
    SANDBOX_DATABASE_URL: 'postgres://sandbox@127.0.0.1:1/sandbox',
  });
  expect(await run.ended).toBe(1);
  expect(run.stderr).toMatch(/^handover: .*127\.0\.0\.1:1.*\n$/);
});

it('`handover sandbox` and `handover engine` alone run side by side on one data folder, and stop', async () => {
  const sandbox = deployment.run(['sandbox']);
  const engine = deployment.run(['engine']);
  const [, platform] = await sandbox.says(/sandbox platform on (\S+)/);
  expect((await fetch(`${platform}/docs/json`)).status).toBe(200);
  await engine.says(/Temporal on 127\.0\.0\.1:\d+, UI on http/);
  const pid = deployment.enginePid() ?? 0;
  expect(isAlive(pid)).toBe(true);
  sandbox.signal('SIGTERM');
  engine.signal('SIGINT');
  expect(await sandbox.ended).toBe(0);
  expect(await engine.ended).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

it('an engine that ends by itself ends `handover engine`, in one line', async () => {
  const engine = deployment.run(['engine']);
  await engine.says(/Temporal on/);
  await endProcess(deployment.enginePid() ?? 0, 0);
  expect(await engine.ended).toBe(1);
  expect(engine.stderr).toMatch(/^handover: the embedded Temporal \(process \d+\) ended by itself.*\n$/);
});

/** An engine that has its namespace, ends at the first other request (search attributes), and does not start again. */
const endsOnceItAnswers = (note: string) => `
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http2';
if (existsSync('${note}')) process.exit(1);
const server = createServer();
server.on('stream', (stream, { ':path': path }) => {
  if (!path.endsWith('/DescribeNamespace')) {
    writeFileSync('${note}', '');
    process.exit(1);
  }
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.end(Buffer.alloc(5));
});
server.listen(process.argv[process.argv.indexOf('--port') + 1], '127.0.0.1');
`;

it('an engine that is given up before the workers run ends `handover up`, in one line', async () => {
  const program = join(deployment.folder, 'ends-once-it-answers.mjs');
  await writeFile(program, endsOnceItAnswers(join(deployment.folder, 'has-answered')));
  const binary = join(deployment.folder, 'engine-that-ends');
  const script = `#!/bin/sh
if [ "$1" = --version ]; then echo 'temporal version 9 (Server 1.29.1, UI 2)'; exit; fi
exec '${process.execPath}' '${program}' "$@"
`;
  await writeFile(binary, script, { mode: 0o755 });
  const dataDir = join(deployment.folder, 'given-up');
  const up = deployment.run(['up', '--no-demo'], { HANDOVER_DATA_DIR: dataDir, TEMPORAL_CLI_PATH: binary });
  expect(await up.ended).toBe(1);
  expect(up.stderr).toMatch(/^handover: .*, after 5 failures in a row; see \S+engine\.log\n$/);
  expect(up.stdout).toContain('ended by itself. It is started again');
  expect(up.stdout).not.toContain('Handover is ready');
}, 180_000);

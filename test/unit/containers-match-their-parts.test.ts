import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { type Copy, DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { allocatorOf } from '../../bench/program-settings.js';
import { loadConfig } from '../../src/app/config/index.js';
import { variables } from '../../src/app/config/variables.js';
import { externalTarget } from '../../src/temporal/connection/connection.js';
import { stopsWithinMs } from '../../src/temporal/worker/worker.js';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string | number>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
}

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const text = await read('docker-compose.yml');
const services = (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
const own = Object.entries(services).filter(([, service]) => service.build !== undefined);
const dockerfile = DockerfileParser.parse(await read('Dockerfile'));
const stages = dockerfile.getInstructions().filter((line): line is From => line.getKeyword() === 'FROM');

/** What a service reads when nothing is set: `${NAME:-default}` is its default. */
function environmentOf({ environment = {} }: Service): Record<string, string> {
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return Object.fromEntries(filled);
}

const files = ['docker-compose.yml', 'docker-compose.market.yml'];
it.each(files)('%s fits the schema of compose files', (file) => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const results: { messages: { rule: string; message: string }[] }[] = linter.lintFiles(
    [fileURLToPath(new URL(file, root))],
    false,
  );
  expect(results).toHaveLength(1);
  const errors = results.flatMap(({ messages }) => messages).filter(({ rule }) => rule === 'invalid-schema');
  expect(errors).toEqual([]);
});

it('worker, api and sandbox are commands of the image, with variables that Handover knows and reads', () => {
  expect(own.map(([name]) => name).toSorted()).toEqual(['api', 'sandbox', 'worker']);
  for (const [name, service] of own) {
    expect(service.command).toEqual([name]);
    const environment = environmentOf(service);
    const unknown = Object.keys(environment).filter(
      (variable) => !(variable in variables) && !/^TEMPORAL_(ADDRESS|NAMESPACE)$/.test(variable),
    );
    expect(unknown).toEqual([]);
    expect(() => loadConfig(environment)).not.toThrow();
  }
});

it('worker and api share database, Temporal, codec keys and photos, and each has its required settings', () => {
  const [worker, api] = [services.worker, services.api].map((service) => service as Service);
  if (worker === undefined || api === undefined) throw new Error('no worker or no api');
  const [asWorker, asApi] = [loadConfig(environmentOf(worker)), loadConfig(environmentOf(api))];
  expect(asWorker.databaseUrl).toBeDefined();
  expect(asApi.databaseUrl).toBe(asWorker.databaseUrl);
  expect(asWorker.codec.keys.length).toBeGreaterThan(0);
  expect(asApi.codec.keys).toEqual(asWorker.codec.keys);
  expect(asWorker.platform.baseUrl).toBe('http://sandbox:9090');
  expect(asApi.tokens.length).toBeGreaterThan(0);
  expect(externalTarget(environmentOf(api))).toEqual(externalTarget(environmentOf(worker)));
  expect(worker.volumes).toEqual(api.volumes);
  const dataDir = variable('HANDOVER_DATA_DIR') ?? '';
  expect(worker.volumes).toEqual([`photos:${dataDir}`]);
  // an erasure needs it in the environment; it is where photos were before it was set
  for (const service of [worker, api]) expect(environmentOf(service).BLOB_URL).toBe(`${dataDir}/blobs`);
  for (const setting of [asWorker, asApi])
    expect(setting.blobs).toEqual(loadConfig({ HANDOVER_DATA_DIR: dataDir }).blobs);
});

it("the sandbox knows the platform's keys and signs with a secret that the receiver accepts", () => {
  const sandbox = loadConfig(environmentOf(services.sandbox as Service)).sandbox;
  const api = loadConfig(environmentOf(services.api as Service));
  const keyOf = (role: string) => sandbox.keys.find((key) => key.role === role)?.key;
  expect([keyOf('channel'), keyOf('supplier')]).toEqual([api.platform.channelKey, api.platform.supplierKey]);
  expect(api.callbacks.secrets).toContain(sandbox.callbackSecret);
  expect(sandbox.callbackUrl).toBe(`http://api:${api.callbacks.port}`);
});

it('the published ports are those that the parts listen on, on this machine only', () => {
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(published.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  const { http, sandbox } = loadConfig({});
  const { port } = loadConfig(environmentOf(services.api as Service)).callbacks;
  expect(services.api?.ports).toEqual([http.port, port].map((one) => `127.0.0.1:${one}:${one}`));
  expect(services.sandbox?.ports).toEqual([`127.0.0.1:${sandbox.port}:${sandbox.port}`]);
  expect(variable('HANDOVER_HOST')).toBe('0.0.0.0');
});

it('a container is killed only after the worker has had its grace', () => {
  for (const [, { stop_grace_period: grace }] of own) {
    const seconds = Number(/^(\d+)s$/.exec(grace ?? '')?.[1]);
    expect(seconds * 1_000).toBeGreaterThan(stopsWithinMs);
  }
});

it('the market: the channel forwards to the supplier, which has the other key, and they share nothing else', async () => {
  const added = parse(await read('docker-compose.market.yml'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const settingOf = (name: string) => {
    const environment = { ...services[name]?.environment, ...added.services[name]?.environment };
    return loadConfig(environmentOf({ image: '', environment }), { receives: name.endsWith('api') });
  };
  const both = (prefix: string) => ['api', 'worker'].map((part) => settingOf(prefix + part));
  for (const [index, channel] of both('').entries()) {
    const supplier = both('supplier-')[index];
    expect(channel.platform.supplierKey).toBeUndefined();
    expect(channel.forward.url).toBe('http://supplier-api:8080');
    expect(supplier?.callbacks.secrets).toEqual([channel.forward.secret]);
    expect(supplier?.platform.channelKey).toBeUndefined();
    expect(supplier?.platform.baseUrl).toBe(channel.platform.baseUrl);
    for (const apart of ['databaseUrl', 'codec'] as const)
      expect(supplier?.[apart]).not.toEqual(channel[apart]);
  }
  const { PLATFORM_SUPPLIER_API_KEY: key } = environmentOf(added.services['supplier-worker'] as Service);
  expect(key).toBe(environmentOf(services.worker as Service).PLATFORM_SUPPLIER_API_KEY);
  const namespaces = ['supplier-api', 'supplier-worker', 'supplier-namespace'].map(
    (name) => added.services[name]?.environment?.TEMPORAL_NAMESPACE,
  );
  expect(new Set(namespaces).size).toBe(1);
  expect(namespaces[0]).not.toBe(services.api?.environment?.TEMPORAL_NAMESPACE);
});

it('every service has a health check, or a comment above it with the reason', () => {
  for (const [name, { healthcheck }] of Object.entries(services)) {
    if (healthcheck?.disable !== true) expect(healthcheck?.test?.length, name).toBeGreaterThan(1);
  }
  const lines = text.split('\n');
  const disabled = lines.flatMap((line, index) => (line.includes('disable: true') ? [index] : []));
  for (const index of disabled) {
    const begins = lines.findLastIndex((line, at) => at < index && /^ {2}[\w-]+:$/.test(line));
    expect([lines[begins - 1], lines[index - 1]].join()).toMatch(/#/);
  }
});

it('each dependency of a service exists, and has the health check or the end that the service waits for', () => {
  for (const { depends_on = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const ends = services[name]?.healthcheck?.disable === true;
      expect(condition, name).toBe(ends ? 'service_completed_successfully' : 'service_healthy');
    }
  }
});

it('images are pinned, and Temporal and its tools are of one version', () => {
  const images = [
    ...Object.values(services).map(({ image }) => image),
    ...stages.map((stage) => stage.getImage() ?? ''),
  ].filter((image) => image !== 'handover:local');
  for (const image of images) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?$/);
  const versions = images.flatMap(
    (image) => /^temporalio\/(?:server|admin-tools):(.+)$/.exec(image)?.[1] ?? [],
  );
  expect(new Set(versions).size).toBe(1);
});

it('files that are mounted exist', async () => {
  const mounts = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(':')),
  );
  const paths = mounts.flatMap(([from = '', to = '']) =>
    from.startsWith('./') ? [[from, to] as const] : [],
  );
  expect(paths.length).toBeGreaterThan(0);
  for (const [name, { image, healthcheck, ...service }] of Object.entries(services)) {
    const words = JSON.stringify([image, healthcheck, service]);
    for (const [, file = ''] of words.matchAll(/"\/handover\/([\w.-]+)"/g)) {
      await expect(read(`docker/temporal/${file}`), `${name}: ${file}`).resolves.not.toBe('');
    }
  }
});

it('the image is built in stages, runs without privileges, and contains only the output of the stage before', () => {
  expect(stages.length).toBe(2);
  const names = stages.map((stage) => stage.getBuildStage());
  const last = dockerfile.getInstructions().slice(dockerfile.getInstructions().indexOf(stages[1] as From));
  const words = (keyword: string) =>
    last.filter((line) => line.getKeyword() === keyword).map((line) => line.getRawArgumentsContent() ?? '');
  expect(words('USER')).toEqual(['node']);
  // without root certificates no worker connects to a Temporal over TLS
  expect(words('RUN').join()).toMatch(/apt-get install [^&]*\bca-certificates\b/);
  const copies = last.filter((line): line is Copy => line.getKeyword() === 'COPY');
  for (const copy of copies) expect(names).toContain(copy.getFromFlag()?.getValue());
  expect(copies.map((copy) => copy.getArguments()[0]?.getValue())).toEqual([
    '/app/package.json',
    '/app/node_modules',
    '/app/dist',
  ]);
  const entry = last.find((line): line is JSONInstruction => line.getKeyword() === 'ENTRYPOINT');
  const command = (entry?.getJSONStrings() ?? []).map((part) => part.getJSONValue());
  expect(command.at(-1)).toBe('dist/src/cli.js');
});

it('health checks call the port of each part: whether callbacks are accepted, and whether a worker lives', async () => {
  const market = parse(await read('docker-compose.market.yml'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const asked = (service: Service | undefined) =>
    /fetch\('([^']+)'\)/.exec(service?.healthcheck?.test?.at(-1) ?? '')?.[1];
  const { http, worker } = loadConfig({});
  for (const api of [services.api, market.services['supplier-api']])
    expect(asked(api)).toBe(`http://127.0.0.1:${http.port}/readyz/intake`);
  for (const one of [services.worker, market.services['supplier-worker']])
    expect(asked(one)).toBe(`http://127.0.0.1:${worker.port}/healthz`);
});

it('a receiver does not wait for Temporal to start', () => {
  expect(Object.keys(services.api?.depends_on ?? {})).toEqual(['handover-db']);
});

function variable(name: string): string | undefined {
  return (
    dockerfile
      .getENVs()
      .flatMap((line) => line.getProperties())
      .find((property) => property.getName() === name)
      ?.getValue() ?? undefined
  );
}

it('the image sets the allocator as npm start does, which leaves settings of the shell', async () => {
  const allocator = Object.entries(await allocatorOf(fileURLToPath(root)));
  expect(allocator).not.toEqual([]);
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: { start: string } };
  const unlessSet = allocator.map(([name, value]) => `${name}=\${${name}:-${value}}`);
  expect(scripts.start).toContain(` env ${unlessSet.join(' ')} node `);
  expect(allocator.map(([name]) => [name, variable(name)])).toEqual(allocator);
});

import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/app/config/index.js';
import { variables } from '../../src/app/config/variables.js';
import { intakeOf } from '../../src/app/parts/relay.js';
import { mostAbandoned } from '../../src/app/parts/worker-health.js';
import { stopsWithinMs } from '../../src/temporal/worker/worker.js';
import { patchedAsDocumented } from '../support/documented-manifests.js';

interface EnvEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}
interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}
interface Container {
  image: string;
  args: string[];
  env: EnvEntry[];
  envFrom: { configMapRef?: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources: { requests: { memory: string }; limits: { memory: string } };
  securityContext: { readOnlyRootFilesystem: boolean };
  volumeMounts: { mountPath: string }[];
}
interface Sidecar {
  restartPolicy: string;
  ports: { name: string; containerPort: number }[];
  readinessProbe: { tcpSocket: { port: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    progressDeadlineSeconds?: number;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    podSelector?: { matchLabels: Record<string, string> };
    policyTypes?: string[];
    minAvailable?: number;
    ports?: { targetPort: string }[];
    ingress?: { from: { ipBlock?: unknown }[]; ports: { port: string }[] }[];
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        initContainers?: Sidecar[];
        containers: [Container];
      };
    };
  };
}

const folder = new URL('../../deploy/kubernetes/', import.meta.url);
const read = (file: string) => readFile(new URL(file, folder), 'utf8');
const resourcesOf = async (file: string) =>
  (parse(await read(`${file}kustomization.yaml`)) as { resources: string[] }).resources;
const resources = await resourcesOf('');
const ofWorker = await resourcesOf('worker/');
const page = await readFile(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
const files = [...resources.filter((one) => one !== 'worker'), ...ofWorker.map((file) => `worker/${file}`)];
const manifests = (await Promise.all(files.map(read))).flatMap((text) =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const config = ofKind('ConfigMap')[0]?.data ?? {};
const parts = ofKind('Deployment').map((deployment) => {
  const { template } = deployment.spec ?? {};
  if (template === undefined) throw new Error(`${deployment.metadata.name} has no template`);
  return {
    deployment,
    labels: template.metadata.labels,
    pod: template.spec,
    container: template.spec.containers[0],
  };
});
const part = (name: string) => {
  const found = parts.find(({ container }) => container.args[0] === name);
  if (found === undefined) throw new Error(`no deployment of ${name}`);
  return found;
};

/** Examples of the secret's values. */
const secret: Record<string, string> = {
  DATABASE_URL: 'postgres://handover:secret@db.example/handover',
  CODEC_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
  PLATFORM_CHANNEL_API_KEY: 'a-channel-key-of-the-platform',
  PLATFORM_SUPPLIER_API_KEY: 'a-supplier-key-of-the-platform',
  TEMPORAL_API_KEY: 'a-key-of-temporal-cloud',
  ALERT_SECRET: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
  CALLBACK_SECRETS: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
  HANDOVER_TOKENS: 'staff:a-token-of-one-person-0001:kim,manager:a-token-of-one-person-0002:lee',
};
/** Read by the AWS SDK, where no cloud identity is. */
const awsKeys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const settingOf = (name: string) => ({
  ...config,
  ...Object.fromEntries(
    part(name).container.env.map((entry) => [
      entry.name,
      secret[entry.valueFrom?.secretKeyRef?.key ?? ''] ?? '',
    ]),
  ),
});

it('every file is applied, and the workers of a release are the same ones under another name', async () => {
  const inFolder = (await readdir(folder)).filter(
    (file) => !['kustomization.yaml', 'release', 'release-check.json'].includes(file),
  );
  expect([...resources].sort()).toEqual(inFolder.sort());
  expect([...ofWorker, 'kustomization.yaml'].sort()).toEqual(
    (await readdir(new URL('worker/', folder))).sort(),
  );
  const release = parse(await read('release/kustomization.yaml'));
  const { labels, images, nameSuffix } = release;
  const version: string = images[0].newTag;
  expect(release.resources).toEqual(['../worker']);
  expect(nameSuffix).toBe(`-${version.replaceAll('.', '-')}`);
  expect(labels).toEqual([
    { pairs: { 'app.kubernetes.io/version': version }, includeSelectors: true, includeTemplates: true },
  ]);
});

describe.each(['api', 'worker'])('handover %s', (name) => {
  const { deployment, labels, pod, container } = part(name);
  const portOf = (port: string) => container.ports.find((one) => one.name === port)?.containerPort;

  it('starts with settings that Handover knows; each secret by reference', () => {
    const unknown = Object.keys(settingOf(name)).filter(
      (variable) =>
        !(variable in variables) &&
        !/^TEMPORAL_(ADDRESS|NAMESPACE|API_KEY)$/.test(variable) &&
        !['AWS_REGION', ...awsKeys].includes(variable),
    );
    expect(unknown).toEqual([]);
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'handover' } }]);
    expect(container.env.filter(({ value }) => value !== undefined)).toEqual([]);
    expect(container.env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)).toEqual(
      container.env.map(() => 'handover'),
    );
    expect(Object.keys(config).filter((variable) => /KEY|SECRET|TOKEN|DATABASE/.test(variable))).toEqual([]);
    expect(() => loadConfig(settingOf(name), { receives: name === 'api' })).not.toThrow();
  });

  it('is probed where it listens, and restarted only where a restart helps', () => {
    const { http, callbacks, worker } = loadConfig(settingOf(name), { receives: name === 'api' });
    const ports = container.ports.map(({ containerPort }) => containerPort);
    expect(ports).toEqual(name === 'api' ? [http.port, callbacks.port] : [worker.port]);
    for (const probe of [container.startupProbe, container.livenessProbe])
      expect(probe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe(name === 'api' ? '/readyz/intake' : '/readyz');
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
      expect(portOf(probe.httpGet.port)).toBeDefined();
  });

  it('has time for preStop, its drain and its stop before it is killed', () => {
    const { drainMs } = loadConfig(settingOf(name), { receives: name === 'api' }).http;
    const [command, seconds = '0'] = container.lifecycle?.preStop.exec.command ?? [];
    expect([undefined, 'sleep']).toContain(command);
    const graceMs = 1_000 * (pod.terminationGracePeriodSeconds - Number(seconds));
    expect(graceMs).toBeGreaterThan(drainMs + (name === 'worker' ? stopsWithinMs : 20_000));
  });

  it('may start for as long as its probe allows before its rollout counts as failed', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(deployment.spec?.progressDeadlineSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('runs twice or more, and one stays while nodes are drained', () => {
    const budget = ofKind('PodDisruptionBudget').find(
      ({ metadata }) => metadata.name === deployment.metadata.name,
    );
    expect(budget?.spec?.selector?.matchLabels).toEqual(labels);
    expect(deployment.spec?.selector?.matchLabels).toEqual(labels);
    expect(deployment.spec?.replicas).toBeGreaterThan(budget?.spec?.minAvailable ?? Infinity);
  });

  it('has a reference for each secret that Handover knows and this part reads', () => {
    const secrets = Object.keys(variables).filter(
      (variable) =>
        /(_SECRETS?|_API_KEY|CODEC_KEYS|_TOKENS?|^DATABASE_URL)$/.test(variable) &&
        !/^(SANDBOX|HANDOVER_TEST)_/.test(variable),
    );
    const ofStaff = ['HANDOVER_TOKENS', 'CODEC_ENDPOINT_TOKEN'];
    const ofHandover = secrets.filter((one) => name === 'api' || !ofStaff.includes(one));
    const read = [...ofHandover, 'TEMPORAL_API_KEY', ...awsKeys];
    expect(container.env.map((entry) => entry.name).sort()).toEqual([...new Set(read)].sort());
    for (const entry of container.env.filter((one) => awsKeys.includes(one.name)))
      expect(entry.valueFrom?.secretKeyRef?.optional).toBe(true);
  });

  it('writes only where its image allows it', () => {
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/var/lib/handover', '/tmp']);
  });
});

/** KEP-1669: with `externalTrafficPolicy: Local` a node drops traffic once its only api is not ready, as after SIGTERM. */
it('an api stays ready until a load balancer whose third check fails, 8 s apart, has left its node', () => {
  const [, seconds] = part('api').container.lifecycle?.preStop.exec.command ?? [];
  expect(Number(seconds)).toBeGreaterThan(3 * 8);
  expect(page).toContain(`\`preStop\`, ${seconds} s`);
});

it('a container that ends TLS beside the api, as docs/deploying.md adds it, is ready only once it listens, and stops after the api', () => {
  const [deployment, service, policy] = patchedAsDocumented(manifests);
  const [tls] = deployment?.spec?.template?.spec.initContainers ?? [];
  // a sidecar of Kubernetes: SIGTERM reaches it when the api has ended
  expect(tls?.restartPolicy).toBe('Always');
  const [port] = tls?.ports ?? [];
  expect(port?.name).toMatch(/^[a-z-]{1,15}$/);
  expect(tls?.readinessProbe.tcpSocket.port).toBe(port?.name);
  expect(service?.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual([port?.name]);
  expect(policy?.spec?.ingress?.flatMap(({ ports }) => ports)).toEqual([
    { protocol: 'TCP', port: port?.name },
  ]);
});

it('a supplier that gets no callbacks leaves their secrets out, and nothing waits for them; an api with a channel key needs them', () => {
  for (const name of ['api', 'worker']) {
    const reference = part(name).container.env.find((entry) => entry.name === 'CALLBACK_SECRETS');
    expect(reference?.valueFrom?.secretKeyRef?.optional).toBe(true);
    const { CALLBACK_SECRETS: _, ...channel } = settingOf(name);
    const { PLATFORM_CHANNEL_API_KEY: __, ...supplier } = channel;
    const receives = name === 'api';
    expect(intakeOf(loadConfig(supplier, { receives })).silenceAfterMs).toBeNull();
    if (receives) expect(() => loadConfig(channel, { receives })).toThrow('CALLBACK_SECRETS');
  }
  const example = /create secret generic handover[\s\S]+?```/.exec(page)?.[0];
  for (const name of ['PLATFORM_CHANNEL_API_KEY', 'CALLBACK_SECRETS']) expect(example).toContain(name);
});

it('before a rollout a pod of the new image checks the release, with the settings of a worker', async () => {
  const rollout = page.slice(page.indexOf('### Rollout and rollback'));
  const run = /kubectl -n handover run (\S+) --image=\S+ [\s\S]+?\n```/.exec(rollout);
  expect(run?.index).toBeLessThan(rollout.indexOf('apply -k deploy/kubernetes'));
  expect(run?.[0]).toContain('"$(cat deploy/kubernetes/release-check.json)" -- release check\n');
  const { spec } = JSON.parse(await read('release-check.json'));
  const [container] = spec.containers;
  expect(container.name).toBe(run?.[1]);
  expect(container.envFrom).toEqual([
    { configMapRef: { name: ofKind('ConfigMap')[0]?.metadata.name } },
    { secretRef: { name: 'handover' } },
  ]);
  expect(spec.serviceAccountName).toBe(ofKind('ServiceAccount')[0]?.metadata.name);
  expect(container.resources).toEqual(part('worker').container.resources);
  expect(() => loadConfig({ ...config, ...secret }, { receives: false })).not.toThrow();
});

it('a rollout by docs/deploying.md applies everything but the workers first, and a return everything but the api', () => {
  const selectors = [
    ...page.matchAll(/apply -k deploy\/kubernetes -l 'app\.kubernetes\.io\/component!=(\w+)'/g),
  ];
  expect(selectors.map(([, component]) => component)).toEqual(['worker', 'api']);
  const objectsOf = (component: string) =>
    manifests.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === component);
  expect(objectsOf('worker').map(({ kind }) => kind)).toEqual(['Deployment', 'PodDisruptionBudget']);
  expect(objectsOf('api').map(({ kind }) => kind)).toEqual([
    'Deployment',
    'Service',
    'Service',
    'PodDisruptionBudget',
  ]);
});

it('a worker has the memory that it was measured with, and that of the workers which it replaces before it is restarted', async () => {
  const scale = await readFile(new URL('../../docs/scale.md', import.meta.url), 'utf8');
  const rows = scale.matchAll(/^\| ([\d,]+) \| (\d+) \| \d+, (\d+), /gm);
  const measured = [...rows].map(([, open, workers, memory]) => ({ of: `${open} ${workers}`, memory }));
  expect(measured.length).toBeGreaterThan(3);
  const stated = /^\| worker, with 10,000 and 100,000 open.*?\| (\d+) MB, (\d+) MB \|/m.exec(page)?.slice(1);
  const memoryOf = (of: string) => measured.find((row) => row.of === of)?.memory;
  expect(stated).toEqual([memoryOf('10,000 2'), memoryOf('100,000 2')]);
  const largest = 1e6 * Math.max(...measured.map(({ memory }) => Number(memory)));
  const ofReplaced = (mostAbandoned - 1) * 100e6;
  const { requests, limits } = part('worker').container.resources;
  const bytes = (size: string) => Number(/^(\d+)Gi$/.exec(size)?.[1]) * 2 ** 30;
  expect(bytes(requests.memory)).toBeGreaterThan(largest);
  expect(bytes(limits.memory)).toBeGreaterThan(largest + ofReplaced);
});

it('api and worker are of one image, and share keys, photos and Temporal', () => {
  expect(part('api').container.image).toBe(part('worker').container.image);
  const secretsOf = (name: string) => part(name).container.env.map((entry) => entry.name);
  expect(secretsOf('api').filter((name) => !secretsOf('worker').includes(name))).toEqual([
    'HANDOVER_TOKENS',
    'CODEC_ENDPOINT_TOKEN',
  ]);
});

it('nothing reaches a pod but what a policy names: one denies all traffic to each, and no other allows every sender', () => {
  const policies = ofKind('NetworkPolicy');
  const denying = policies.filter(({ spec }) => spec?.ingress === undefined);
  const selected = { matchLabels: { 'app.kubernetes.io/name': 'handover' } };
  expect(denying.map(({ spec }) => spec)).toEqual([{ podSelector: selected, policyTypes: ['Ingress'] }]);
  for (const { labels } of parts) expect(labels).toMatchObject(selected.matchLabels);
  // a rule without senders allows all of them
  for (const { from } of policies.flatMap(({ spec }) => spec?.ingress ?? []))
    expect(from.length).toBeGreaterThan(0);
});

it('the platform reaches the callback port alone', () => {
  const policies = ofKind('NetworkPolicy');
  const fromOutside = policies.filter(({ spec }) =>
    spec?.ingress?.some(({ from }) => from.some(({ ipBlock }) => ipBlock !== undefined)),
  );
  expect(fromOutside.flatMap(({ spec }) => spec?.ingress?.flatMap(({ ports }) => ports))).toEqual([
    { protocol: 'TCP', port: 'callbacks' },
  ]);
  const callbacks = ofKind('Service').find(({ metadata }) => metadata.name === 'handover-callbacks');
  expect(callbacks?.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['callbacks']);
});

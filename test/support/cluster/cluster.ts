import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { provideEngine } from '../../../src/temporal/server/provision/provide.js';
import { eventually } from '../eventually.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../postgres-server.js';
import { builtModule } from '../product.js';
import { startBalancer } from './balancer.js';
import { type ComposedService, composedServices, fromRoot, imageEnvironment } from './compose.js';
import { Program, runOnce } from './program.js';
import { provideServer, type ServerPrograms } from './temporal-server.js';

/** Services with an address of their own; `api` is the balancer before its two replicas. */
const hosts = ['temporal-db', 'temporal', 'handover-db', 'sandbox', 'api', 'worker'] as const;
type Host = (typeof hosts)[number];

const startsWithinMs = 240_000;
const ingressPort = 8000;
const ingress = (path: string) => (path.startsWith('/events/') ? 8082 : 8080);

/**
 * docker-compose.yml without containers: the programs of its services, with its environments, two replicas of `api` and of
 * `worker`. Each service has a loopback address of its own, so that all ports are those of the file.
 */
export class Cluster {
  readonly databases = {} as Record<'temporal-db' | 'handover-db', PostgresServer>;
  readonly programs: Record<string, Program> = {};
  private readonly balancers: Awaited<ReturnType<typeof startBalancer>>[] = [];
  private readonly closing: (() => Promise<void>)[] = [];
  private readonly image = imageEnvironment();
  private readonly network = `127.${randomInt(2, 250)}.${randomInt(0, 250)}`;
  readonly services: Record<string, ComposedService>;

  private constructor(
    readonly folder: string,
    private readonly tools: ServerPrograms & { cli: string; temporal: string; handover: string },
    settings: Record<string, string>,
  ) {
    this.services = composedServices(settings);
  }

  /** @param settings of the variables of docker-compose.yml @param handover other values of variables */
  static async start(
    settings: Record<string, string> = {},
    handover: Record<string, string> = {},
  ): Promise<Cluster> {
    const tools = {
      ...(await provideServer()),
      temporal: await provideEngine('dev-server'),
      handover: fileURLToPath(await builtModule('src/cli.js')),
      cli: process.execPath,
    };
    const cluster = new Cluster(await mkdtemp(join(tmpdir(), 'handover-cluster-')), tools, settings);
    try {
      await cluster.startAll(handover);
      return cluster;
    } catch (error) {
      const logs = Object.values(cluster.programs).map(
        (program) => `${program.name}: ${program.log().slice(-2_000)}`,
      );
      await cluster.remove();
      throw new Error(`the cluster did not start: ${error}\n${logs.join('\n')}`);
    }
  }

  get apiUrl(): string {
    return `http://${this.addressOf('api')}:8080`;
  }

  get sandboxUrl(): string {
    return `http://${this.addressOf('sandbox')}:9090`;
  }

  /** Where the platform sends callbacks. */
  get callbackUrl(): string {
    return `http://${this.addressOf('api')}:8082`;
  }

  /** The status API and callbacks at one address, by their paths. */
  get ingressUrl(): string {
    return `http://${this.addressOf('api')}:${ingressPort}`;
  }

  /** A variable of a service, as its program gets it. */
  variable(service: string, name: string): string {
    return this.environmentOf(service, this.addressOf('api'))[name] ?? '';
  }

  /** Its container is healthy, by its health check. */
  async isHealthy(name: string): Promise<boolean> {
    const [, ...check] = this.serviceOf(name).healthcheck;
    const [command = '', ...args] = check.map((part) =>
      part.replaceAll('127.0.0.1', this.replicaAddress(name)),
    );
    const program = command === 'node' ? process.execPath : command;
    const start = { ...this.place(`health-${name}`), command: program, args, env: environmentOfTools() };
    return runOnce(start).then(
      () => true,
      () => false,
    );
  }

  async whenHealthy(...names: string[]): Promise<void> {
    for (const name of names) {
      await eventually(`${name} is healthy`, () => this.isHealthy(name), startsWithinMs, 250).catch(
        (error: Error) => {
          throw new Error(`${error.message}; its log: ${this.programs[name]?.log().slice(-3_000)}`);
        },
      );
    }
  }

  /** `handover doctor` with the environment of a program. @throws with its report where something needs a repair */
  doctor(name: string, args: string[] = []): Promise<void> {
    const env = this.environmentOf(name, this.replicaAddress(name));
    const command = ['--enable-source-maps', this.tools.handover, 'doctor', ...args];
    return runOnce({ ...this.place(`doctor-${name}`), command: this.tools.cli, args: command, env });
  }

  /** Of the running process of each program: the most memory it had, and how much of a core it used since it started. */
  async usage(): Promise<Record<string, { peakMb: number; cores: number; seconds: number }>> {
    const entries = Object.values(this.programs).map(async ({ name, pid }) => [name, await usageOf(pid)]);
    return Object.fromEntries(await Promise.all(entries));
  }

  async remove(): Promise<void> {
    await Promise.all(Object.values(this.programs).map((program) => program.stop()));
    for (const close of this.closing.reverse()) await close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async startAll(handover: Record<string, string>): Promise<void> {
    await Promise.all([this.startDatabase('temporal-db'), this.startDatabase('handover-db')]);
    await this.createSandboxDatabase();
    await this.runJob('temporal-schema');
    this.startProgram(
      'temporal',
      this.tools.server,
      ['start'],
      this.environmentOf('temporal', this.addressOf('temporal')),
    );
    await this.runJob('temporal-namespace');
    for (const name of ['sandbox', 'api-1', 'api-2', 'worker-1', 'worker-2']) {
      const { command } = this.serviceOf(name);
      const env = this.environmentOf(name, this.replicaAddress(name));
      for (const [variable, value] of Object.entries(handover)) if (variable in env) env[variable] = value;
      this.startProgram(name, this.tools.cli, ['--enable-source-maps', this.tools.handover, ...command], env);
    }
    await this.startBalancers();
    await this.whenHealthy('sandbox', 'api-1', 'api-2', 'worker-1', 'worker-2');
    await this.whenReady();
  }

  /** Everything serves: workers poll, and both replicas of `api` reach Temporal. */
  async whenReady(): Promise<void> {
    const urls = ['api-1', 'api-2']
      .map((name) => `http://${this.replicaAddress(name)}:8080/readyz`)
      .concat(['worker-1', 'worker-2'].map((name) => `http://${this.replicaAddress(name)}:8081/readyz`));
    for (const url of urls) {
      const isReady = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        );
      await eventually(`${url} answers`, isReady, startsWithinMs, 250);
    }
  }

  /** Restarts a program in an orderly way, and waits until it gets requests again. @returns its exit code */
  async restart(name: string): Promise<number | null> {
    const code = await this.programs[name]?.end('SIGTERM');
    await this.whenHealthy(...(name === 'temporal' ? [] : [name]));
    await this.whenReady();
    const all = () => this.balancers.every((balancer) => balancer.ready() === 2);
    await eventually('both replicas get requests', all, startsWithinMs);
    return code ?? null;
  }

  private async startDatabase(name: 'temporal-db' | 'handover-db'): Promise<void> {
    const programs = (await postgresPrograms()) ?? '';
    const { POSTGRES_USER: user = '', POSTGRES_PASSWORD: password = '' } = this.serviceOf(name).environment;
    const server = await startPostgres(programs, tmpdir(), {
      host: this.addressOf(name),
      port: 5432,
      user,
      password,
    });
    this.databases[name] = server;
    this.closing.push(() => server.remove());
    // the image creates a database named after its user
    await query(server.url, `create database ${user}`);
  }

  /** By the script that the image runs at its first start. */
  private async createSandboxDatabase(): Promise<void> {
    const script = await readFile(fromRoot('docker/create-sandbox-database.sql'), 'utf8');
    await query(this.databases['handover-db'].url, script);
  }

  /** A service that runs once. */
  private runJob(name: string): Promise<void> {
    const { entrypoint } = this.serviceOf(name);
    const [command = '', ...args] = entrypoint.map((part) => this.inRepository(name, part));
    const path = [this.tools.tools, dirname(this.tools.temporal), process.env.PATH].join(delimiter);
    const env = { ...this.environmentOf(name, ''), ...environmentOfTools(), PATH: path };
    return runOnce({ ...this.place(name), command, args, env });
  }

  private startProgram(name: string, command: string, args: string[], env: Record<string, string>): void {
    this.programs[name] = new Program({ ...this.place(name), command, args, env });
  }

  private async startBalancers(): Promise<void> {
    const host = this.addressOf('api');
    const replicas = ['api-1', 'api-2'].map((name) => this.replicaAddress(name));
    const portOf = { 8080: () => 8080, 8082: () => 8082, [ingressPort]: ingress };
    for (const [port, portFor] of Object.entries(portOf)) {
      const options = { host, port: Number(port), replicas, portFor, readiness: '/readyz/intake' };
      const balancer = await startBalancer(options);
      this.balancers.push(balancer);
      this.closing.push(() => balancer.close());
    }
  }

  private place(name: string) {
    return { name, cwd: this.folder, log: join(this.folder, `${name}.log`) };
  }

  private serviceOf(name: string): ComposedService {
    const service = this.services[name.replace(/-\d$/, '')];
    if (service === undefined) throw new Error(`docker-compose.yml has no ${name}`);
    return service;
  }

  private addressOf(host: Host): string {
    return `${this.network}.${10 + hosts.indexOf(host)}`;
  }

  /** `api-1` to `api-2`, `worker-1` to `worker-2`: one each. */
  private replicaAddress(name: string): string {
    const [, host = name, replica = ''] = /^(.*)-(\d)$/.exec(name) ?? [];
    if (replica === '') return this.addressOf(name as Host);
    return `${this.network}.${20 + 10 * hosts.indexOf(host as Host) + Number(replica)}`;
  }

  /** Of the file, with names of services as their addresses; a program listens at `listensAt` alone. */
  private environmentOf(name: string, listensAt: string): Record<string, string> {
    const service = this.serviceOf(name);
    const isOwn = service.command.length > 0;
    const given = { ...(isOwn && this.image), ...service.environment };
    const entries = Object.entries(given).map(([variable, value]) => [
      variable,
      this.withAddresses(variable, this.inFolders(name, value)).replace(/^0\.0\.0\.0$/, listensAt),
    ]);
    return { ...environmentOfTools(), ...Object.fromEntries(entries) };
  }

  private withAddresses(variable: string, value: string): string {
    if (/_(SEEDS|HOST)$/.test(variable) && hosts.includes(value as Host))
      return this.addressOf(value as Host);
    return value.replaceAll(/(^|@|\/\/)([a-z-]+)(?=:\d)/g, (all, before: string, name: string) =>
      hosts.includes(name as Host) ? `${before}${this.addressOf(name as Host)}` : all,
    );
  }

  /** A path in the container; the volume of photos is a folder of this cluster. */
  private inFolders(name: string, path: string): string {
    const { HANDOVER_DATA_DIR: volume = '' } = this.image;
    if (path === volume || path.startsWith(`${volume}/`))
      return join(this.folder, 'var-lib-handover', path.slice(volume.length));
    return this.inRepository(name, path);
  }

  private inRepository(name: string, path: string): string {
    for (const [target, source] of Object.entries(this.serviceOf(name).mounts))
      if (path.startsWith(`${target}/`)) return join(source, path.slice(target.length));
    return path;
  }
}

/** Clock ticks of /proc in a second: Linux has 100 on every usual machine. */
const ticks = 100;

async function usageOf(pid: number) {
  const [status, stat, uptime] = await Promise.all(
    [`${pid}/status`, `${pid}/stat`, 'uptime'].map((file) => readFile(`/proc/${file}`, 'utf8')),
  );
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [user, system, started] = [fields[11], fields[12], fields[19]].map((field) => Number(field) / ticks);
  const seconds = Number.parseFloat(uptime ?? '') - (started ?? 0);
  const peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status ?? '')?.[1]) / 1024);
  const cores = Math.round((100 * ((user ?? 0) + (system ?? 0))) / seconds) / 100;
  return { peakMb, cores, seconds: Math.round(seconds) };
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

/** What any program of a container has. */
function environmentOfTools(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', TZ: 'UTC' };
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '../../test/support/cluster/cluster.js';
import { imageEnvironment } from '../../test/support/cluster/compose.js';
import { Program } from '../../test/support/cluster/program.js';
import { eventually } from '../../test/support/eventually.js';
import { builtModule } from '../../test/support/product.js';
import { rounded } from '../statistics.js';

const startsWithinMs = 120_000;
const port = 8081;
/** Hosts of its network from here on are no service's. */
const firstHost = 201;

/** What a worker says of itself; null: it does not. */
export interface WorkerMetrics {
  /** JavaScript heap in use by its main thread. */
  heapMb: number | null;
  /** Workflows in its cache. */
  cached: number | null;
  /** One send of its relay to Temporal, on average since its start. */
  sendMs: number | null;
}

/** As many workers as a measurement wants, in place of the two of the cluster; all are stopped and started together. */
export class Workers {
  private running: Program[] = [];

  private constructor(
    private readonly cluster: Cluster,
    private readonly script: string,
    readonly count: number,
  ) {}

  static async replace(cluster: Cluster, count: number): Promise<Workers> {
    for (const name of ['worker-1', 'worker-2']) {
      await cluster.programs[name]?.stop();
      delete cluster.programs[name];
    }
    const workers = new Workers(cluster, fileURLToPath(await builtModule('src/cli.js')), count);
    await workers.start();
    return workers;
  }

  get pids(): number[] {
    return this.running.map(({ pid }) => pid);
  }

  /** Resolves when all of them work. */
  async start(): Promise<void> {
    this.running = this.hosts.map((host, index) => this.program(`scale-worker-${index + 1}`, host));
    for (const host of this.hosts)
      await eventually(`${host} is ready`, () => isReady(host), startsWithinMs, 100);
  }

  /** They are killed, as by a lost machine. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((program) => program.stop()));
    this.running = [];
  }

  async metrics(): Promise<WorkerMetrics[]> {
    return Promise.all(
      this.hosts.map(async (host) => {
        const text = await fetch(`http://${host}:${port}/metrics`).then((answer) => answer.text());
        const bytes = sumOf(text, 'nodejs_heap_size_used_bytes');
        const sends = sumOf(text, 'handover_relay_send_seconds_count');
        const seconds = sumOf(text, 'handover_relay_send_seconds_sum');
        return {
          heapMb: bytes === null ? null : Math.round(bytes / 1024 / 1024),
          cached: sumOf(text, 'temporal_sticky_cache_size'),
          sendMs: sends ? rounded(((seconds ?? 0) / sends) * 1000, 1) : null,
        };
      }),
    );
  }

  private get hosts(): string[] {
    const network = this.cluster.variable('api', 'TEMPORAL_ADDRESS').split('.').slice(0, 3).join('.');
    return Array.from({ length: this.count }, (_, index) => `${network}.${firstHost + index}`);
  }

  private program(name: string, host: string): Program {
    const { folder, services } = this.cluster;
    const variables = [
      ...['PATH', 'HOME', 'TZ', 'HANDOVER_DATA_DIR'],
      ...Object.keys({ ...imageEnvironment(), ...services.worker?.environment }),
    ];
    const given = variables.map((variable) => [variable, this.cluster.variable('worker', variable)]);
    const env = { ...Object.fromEntries(given), HANDOVER_HOST: host };
    const args = ['--enable-source-maps', this.script, 'worker'];
    return new Program({
      name,
      command: process.execPath,
      args,
      env,
      cwd: folder,
      log: join(folder, `${name}.log`),
    });
  }
}

async function isReady(host: string): Promise<boolean> {
  const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

/** Of all series of a metric; null where there is none. */
function sumOf(text: string, name: string): number | null {
  const values = text
    .split('\n')
    .filter((row) => row.startsWith(`${name} `) || row.startsWith(`${name}{`))
    .map((row) => Number(row.slice(row.lastIndexOf(' '))));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

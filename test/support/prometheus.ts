import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { eventually } from './eventually.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
export const prometheusFolder = join(deploy, 'prometheus');
const run = promisify(execFile);

/** Of Debian's package. */
export const hasPrometheus = existsSync('/usr/bin/prometheus') && existsSync('/usr/bin/promtool');
/** For the title of what is skipped. */
export const withoutPrometheus = hasPrometheus
  ? ''
  : ' [skipped: no /usr/bin/prometheus; apt-get install prometheus]';

/** Standard output of `promtool`. @throws with its output where it fails */
export async function promtool(...args: string[]): Promise<string> {
  const { stdout } = await run('/usr/bin/promtool', args, { cwd: prometheusFolder }).catch((error) => {
    throw new Error(`promtool ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

export const ruleFiles = readdirSync(prometheusFolder).filter((name) => name.startsWith('rules-'));

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: Record<string, string>;
}

/** Every rule of `deploy/prometheus`. */
export const rules: Rule[] = ruleFiles.flatMap((name) => {
  const { groups } = parse(readFileSync(join(prometheusFolder, name), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap((group) => group.rules);
});

/** Every expression of every dashboard: `[dashboard, panel, expression]`. */
export const dashboardExpressions: [string, string, string][] = readdirSync(join(deploy, 'grafana')).flatMap(
  (file) => {
    const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana', file), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string, string] => [file, title, expr]),
    );
  },
);

/** A Prometheus that reads every second. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  /** @param jobs addresses (`http://host:port`) by job */
  static async start(jobs: Record<string, string>): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'handover-prometheus-'));
    const config = join(folder, 'prometheus.yml');
    const scrapes = Object.entries(jobs).map(([job, address]) => ({
      job_name: job,
      static_configs: [{ targets: [new URL(address).host] }],
    }));
    // JSON is YAML
    const written = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ruleFiles.map((name) => join(prometheusFolder, name)),
      scrape_configs: scrapes,
    };
    await writeFile(config, JSON.stringify(written));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      '/usr/bin/prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore' },
    );
    const prometheus = new Prometheus(child, `http://${address}`, folder);
    await eventually(
      'Prometheus is ready',
      async () =>
        (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok && child.exitCode === null,
      60_000,
      100,
    );
    return prometheus;
  }

  /** The samples of an instant query. @throws where it is not valid */
  async query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const response = await fetch(`${this.url}/api/v1/query?${new URLSearchParams({ query: expr })}`);
    const { data, error } = (await response.json()) as { data: { result: never[] }; error?: string };
    if (!response.ok) throw new Error(`${expr}: ${error}`);
    return data.result;
  }

  async stop(): Promise<void> {
    if (this.child.pid !== undefined) await endProcess(this.child.pid, 5_000);
    await rm(this.folder, { recursive: true, force: true });
  }
}

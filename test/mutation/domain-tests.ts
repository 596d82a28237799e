import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.js';

/**
 * What became of a mutant: an assertion failed, a test did not end in its time, or its process died; a record of
 * everything (`recorded-…`) alone differs; or all tests pass.
 */
export type Ending = 'failed' | 'timed out' | 'crashed' | 'recorded' | 'undetected';

interface Result {
  /** Files of tests, in their order. */
  failed: string[];
  tests: { test: string; ms: number }[];
  imports: [file: string, tests: string[]][];
}
type Sent = ({ kind: 'result' } & Result) | { kind: 'begins'; test: string };

const session = 'test/mutation/session.mjs';
const isRecord = (test: string) => test.includes('/recorded-');

/** The unit tests of the domain in one process that stays warm. */
export class DomainTests {
  private process: ChildProcess | undefined;
  /** Of each file of tests, undisturbed. */
  private msOf = new Map<string, number>();
  private related = new Map<string, string[]>();
  /** How many mutants each test detected. */
  private readonly detectedBy = new Map<string, number>();
  /** The file of the mutant before. */
  private restored = '';

  private constructor(private readonly tree: string) {}

  /** Runs all of them once: they pass, and show how long each takes and what it imports. */
  static async start(tree: string): Promise<DomainTests> {
    const all = new DomainTests(tree);
    const result = await all.send({});
    if (typeof result === 'string' || result.failed.length > 0)
      throw new Error(
        `without any mutant: ${typeof result === 'string' ? result : result.failed.join(', ')}`,
      );
    all.msOf = new Map(result.tests.map(({ test, ms }) => [test, ms]));
    all.related = new Map(result.imports);
    return all;
  }

  async run({ file, text }: Mutant): Promise<Ending> {
    const path = join(this.tree, file);
    const tests = this.ordered(path);
    if (tests.length === 0) return 'undetected';
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    try {
      const result = await this.send({ changed: [path, this.restored], tests });
      // again in a new process: a busy machine is no mutant
      const again = typeof result === 'string' ? await this.send({ tests }) : result;
      if (typeof again === 'string') return again;
      const [first] = again.failed;
      if (first === undefined) return 'undetected';
      this.detectedBy.set(first, (this.detectedBy.get(first) ?? 0) + 1);
      return isRecord(first) ? 'recorded' : 'failed';
    } finally {
      writeFileSync(path, original);
      this.restored = path;
    }
  }

  stop(): void {
    this.process?.kill('SIGKILL');
    this.process = undefined;
  }

  /** Records last; of the others first those of the same term that are quick for the mutants that they detected. */
  private ordered(file: string): string[] {
    const cost = (test: string) => {
      const isNear = termOf(test, 'test/unit/domain/') === termOf(file, 'src/domain/');
      const detected = (this.detectedBy.get(test) ?? 0) + 1;
      return ((this.msOf.get(test) ?? 0) + 20) / detected + (isNear ? 0 : 1e6) + (isRecord(test) ? 1e9 : 0);
    };
    return (this.related.get(file) ?? []).toSorted((one, other) => cost(one) - cost(other));
  }

  private send(request: { changed?: string[]; tests?: string[] }): Promise<Result | 'timed out' | 'crashed'> {
    this.process ??= fork(join(this.tree, session), { cwd: this.tree, stdio: 'ignore', execArgv: [] });
    const { process } = this;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const end = (result: Result | 'timed out' | 'crashed') => {
        clearTimeout(timer);
        process.removeAllListeners();
        if (typeof result === 'string') this.stop();
        resolve(result);
      };
      const limit = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => end('timed out'), ms);
      };
      process.on('message', (message: Sent) => {
        if (message.kind === 'result') end(message);
        else limit(10_000 + 10 * (this.msOf.get(message.test) ?? 10_000));
      });
      process.on('exit', () => end('crashed'));
      limit(60_000);
      process.send(request);
    });
  }
}

/** `hold` of `…/src/domain/hold/sale.ts`. */
function termOf(path: string, folder: string): string {
  return dirname(path.slice(path.indexOf(folder) + folder.length)).split('/')[0] ?? '';
}

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { equivalents } from './equivalents.js';
import { type Mutant, mutantsOf } from './mutants.js';

export interface Wanted {
  /** Mutants to count. */
  sample: number;
  seed: number;
  /** Only files whose path contains it. */
  only?: string;
  onMutant?: (mutant: Mutant, isDetected: boolean, ms: number) => void;
}
export interface Score {
  detected: number;
  undetected: Mutant[];
  /** Detected ones of 100. */
  percent: number;
}

/** What the unit tests of the domain need. */
const parts = ['src', 'activities', 'workflows', 'test', 'package.json', 'tsconfig.json'];
const session = 'test/mutation/session.mjs';

/**
 * Changes the domain at one place after the other, in a copy of the tree, and counts how many of these mutants its unit
 * tests detect. One that does not compile, or that is known to be equivalent, does not count; one that never ends is detected.
 */
export async function scoreOf({ sample, seed, only = '', onMutant }: Wanted): Promise<Score> {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'handover-mutants-')));
  let tests: DomainTests | undefined;
  try {
    for (const part of parts) cpSync(part, join(tree, part), { recursive: true, filter: isNeeded });
    symlinkSync(realpathSync('node_modules'), join(tree, 'node_modules'));
    tests = await DomainTests.start(tree);
    const score: Score = { detected: 0, undetected: [], percent: 0 };
    for (const mutant of drawn(
      mutantsIn(tree).filter(({ file }) => file.includes(only)),
      seed,
    )) {
      if (score.detected + score.undetected.length >= sample) break;
      if (isEquivalent(mutant) || !compiles(tree, mutant)) continue;
      const from = Date.now();
      const isDetected = await tests.detect(mutant);
      if (isDetected) score.detected += 1;
      else score.undetected.push(mutant);
      onMutant?.(mutant, isDetected, Date.now() - from);
    }
    score.percent = (100 * score.detected) / (score.detected + score.undetected.length);
    return score;
  } finally {
    tests?.stop();
    rmSync(tree, { recursive: true, force: true });
  }
}

function isNeeded(path: string): boolean {
  return !path.includes('test/replay/histories');
}

function mutantsIn(tree: string): Mutant[] {
  return readdirSync(join(tree, 'src/domain'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = `src/domain/${name}`;
      return mutantsOf(file, readFileSync(join(tree, file), 'utf8'), {
        texts: /messages\/|texts|details/.test(name),
      });
    });
}

/** In an order of its own for each seed. The order of two mutants does not depend on the rest of the code. */
function drawn(mutants: readonly Mutant[], seed: number): Mutant[] {
  const place = ({ file, original, mutated }: Mutant) =>
    createHash('sha1')
      .update(JSON.stringify([seed, file, original, mutated]))
      .digest('hex');
  return mutants
    .map((mutant) => ({ mutant, at: place(mutant) }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ mutant }) => mutant);
}

function isEquivalent({ file, original, mutated }: Mutant): boolean {
  return equivalents.some(
    (one) => file.endsWith(one.file) && one.original === original && one.mutated === mutated,
  );
}

/** Leaves the mutant in the copy: the next one overwrites or restores it. */
function compiles(tree: string, { file, text }: Mutant): boolean {
  const config = join(tree, 'tsconfig.mutation.json');
  const path = join(tree, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: ['src/domain'] }));
  writeFileSync(path, text);
  try {
    execFileSync(process.execPath, [join(tree, 'node_modules/typescript/bin/tsc'), '-p', config], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  } finally {
    writeFileSync(path, original);
  }
}

interface Result {
  failed: boolean;
  tests: { test: string; ms: number }[];
  imports: [file: string, tests: string[]][];
}

/** The unit tests of the domain in one process that stays warm. */
class DomainTests {
  private process: ChildProcess | undefined;
  /** Of a file of tests. */
  private limitMs = 120_000;
  private related = new Map<string, string[]>();
  /** The file of the mutant before. */
  private restored = '';

  private constructor(private readonly tree: string) {}

  /** Runs all of them once: they pass, and show how long each takes and what it imports. */
  static async start(tree: string): Promise<DomainTests> {
    const all = new DomainTests(tree);
    const result = await all.run({});
    if (result === undefined || result.failed)
      throw new Error('the unit tests of the domain fail without any mutant');
    const msOf = new Map(result.tests.map(({ test, ms }) => [test, ms]));
    const { imports } = result;
    all.limitMs = 20_000 + 5 * Math.max(...msOf.values());
    for (const [file, tests] of imports) {
      const isNear = (test: string) =>
        Number(termOf(test, 'test/unit/domain/') === termOf(file, 'src/domain/'));
      tests.sort((a, b) => isNear(b) - isNear(a) || (msOf.get(a) ?? 0) - (msOf.get(b) ?? 0));
      all.related.set(file, tests);
    }
    return all;
  }

  async detect({ file, text }: Mutant): Promise<boolean> {
    const path = join(this.tree, file);
    const tests = this.related.get(path) ?? [];
    if (tests.length === 0) return false;
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    try {
      const result = await this.run({ changed: [path, this.restored], tests });
      return result?.failed ?? true;
    } finally {
      writeFileSync(path, original);
      this.restored = path;
    }
  }

  stop(): void {
    this.process?.kill('SIGKILL');
    this.process = undefined;
  }

  /** Undefined: a file of tests did not end in time, or the process ended. */
  private run(request: { changed?: string[]; tests?: string[] }): Promise<Result | undefined> {
    this.process ??= fork(join(this.tree, session), { cwd: this.tree, stdio: 'ignore', execArgv: [] });
    const { process } = this;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const end = (result: Result | undefined) => {
        clearTimeout(timer);
        process.removeAllListeners();
        if (result === undefined) this.stop();
        resolve(result);
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end(undefined), this.limitMs);
      };
      process.on('message', (message: { kind: 'progress' } | ({ kind: 'result' } & Result)) => {
        if (message.kind === 'result') end(message);
        else wait();
      });
      process.on('exit', () => end(undefined));
      wait();
      process.send(request);
    });
  }
}

/** `hold` of `…/src/domain/hold/sale.ts`. */
function termOf(path: string, folder: string): string {
  return dirname(path.slice(path.indexOf(folder) + folder.length)).split('/')[0] ?? '';
}

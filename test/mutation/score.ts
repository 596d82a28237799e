import { execFileSync } from 'node:child_process';
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
import { join } from 'node:path';
import { DomainTests, type Ending } from './domain-tests.js';
import { equivalents } from './equivalents.js';
import { type Mutant, mutantsOf } from './mutants.js';

export interface Wanted {
  /** Mutants to count. */
  sample: number;
  seed: number;
  /** Only files whose path contains it. */
  file?: string;
  onMutant?: (mutant: Mutant, ending: Ending, ms: number) => void;
}
export interface Score {
  /** Mutants by what became of them. */
  count: Record<Ending, number>;
  /** Those that no test detects, or a record alone. */
  undetected: Mutant[];
  /** Detected ones of 100. */
  percent: number;
}

/** What the unit tests of the domain need. */
const parts = ['src', 'activities', 'workflows', 'test', 'package.json', 'tsconfig.json'];
/** A record of everything that a run shows fails with nearly any change, and says of none that it is wrong. */
const detecting: readonly Ending[] = ['failed', 'timed out', 'crashed'];

/**
 * Changes the domain at one place after the other, in a copy of the tree, and counts how many of these mutants its unit
 * tests detect. One that does not compile, or that is known to be equivalent, does not count.
 * @throws where an entry of the known equivalent mutants is of no mutant any more
 */
export async function scoreOf({ sample, seed, file = '', onMutant }: Wanted): Promise<Score> {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'handover-mutants-')));
  let tests: DomainTests | undefined;
  try {
    for (const part of parts) cpSync(part, join(tree, part), { recursive: true, filter: isNeeded });
    symlinkSync(realpathSync('node_modules'), join(tree, 'node_modules'));
    const mutants = mutantsIn(tree);
    refuseStale(mutants);
    tests = await DomainTests.start(tree);
    const count = { failed: 0, 'timed out': 0, crashed: 0, recorded: 0, undetected: 0 };
    const undetected: Mutant[] = [];
    let counted = 0;
    for (const mutant of drawn(
      mutants.filter((one) => one.file.includes(file)),
      seed,
    )) {
      if (counted >= sample) break;
      if (isEquivalent(mutant) || !compiles(tree, mutant)) continue;
      const from = Date.now();
      const ending = await tests.run(mutant);
      counted += 1;
      count[ending] += 1;
      if (!detecting.includes(ending)) undetected.push(mutant);
      onMutant?.(mutant, ending, Date.now() - from);
    }
    return { count, undetected, percent: (100 * (counted - undetected.length)) / counted };
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

function isEquivalent(mutant: Mutant): boolean {
  return equivalents.some((one) => isSame(one, mutant));
}
function isSame(one: Pick<Mutant, 'file' | 'original' | 'mutated'>, other: Mutant): boolean {
  return one.file === other.file && one.original === other.original && one.mutated === other.mutated;
}
function refuseStale(mutants: readonly Mutant[]): void {
  const stale = equivalents.filter((one) => !mutants.some((mutant) => isSame(one, mutant)));
  if (stale.length > 0)
    throw new Error(`entries of test/mutation/equivalents.ts without a mutant: ${JSON.stringify(stale)}`);
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

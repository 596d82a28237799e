import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gaps } from '../../src/platform/gaps.js';
import { contraryProfile } from '../profiles/contrary.js';

const ledger = readFileSync('docs/gap-ledger.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| G\d/.test(line))
  .map((line) => {
    const [, gap = '', what = '', standard = '', contrary = '', where = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const files = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    return { gap, what, standard, contrary, where, files };
  });
const listed = Object.entries(gaps);

const mentions = (path: string): string[] => readFileSync(path, 'utf8').match(/\bG\d\d\b/g) ?? [];
const sources = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(folder, path))
    : [];

describe('the gap ledger', () => {
  it('has one row per gap of the list, in its order and with its text', () => {
    expect(ledger.map(({ gap, what }) => [gap, what])).toEqual(listed);
    expect(ledger.filter(({ standard }) => standard === '')).toEqual([]);
  });

  it('names files that fill each gap', () => {
    for (const { gap, files } of ledger) expect(files, gap).not.toEqual([]);
  });

  it.each(ledger.flatMap(({ gap, files }) => files.map((file) => [gap, file] as const)))(
    '%s is named in %s',
    (gap, file) => {
      expect(mentions(file)).toContain(gap);
    },
  );

  it('lists a contrary value exactly where the contrary profile differs', () => {
    const listed = ledger.filter(({ contrary }) => contrary !== '').map(({ gap }) => gap);
    expect(contraryProfile.differs).toEqual(listed);
  });
});

describe('the code', () => {
  const files = ['src', 'workflows', 'activities', 'test', 'bench', 'scenarios'].flatMap(sources);

  it('names no gap that is not in the list', () => {
    const unknown = files
      .filter((path) => !path.endsWith('a-deployment-names-its-own-wire-profile.test.ts'))
      .flatMap((path) => mentions(path).filter((gap) => !Object.hasOwn(gaps, gap)));
    expect(unknown).toEqual([]);
  });

  it('of the profiles names the gaps that it fills', () => {
    expect(sources('src/platform/profiles').flatMap(mentions).length).toBeGreaterThan(30);
  });

  it('of the default profile has a ledger row that leads to each of its mentions', () => {
    const led = new Set(ledger.flatMap(({ gap, files: paths }) => paths.map((path) => `${gap} ${path}`)));
    const lost = sources('src/platform/profiles/default')
      .flatMap((path) => mentions(path).map((gap) => `${gap} ${path}`))
      .filter((mention) => !led.has(mention));
    expect(lost).toEqual([]);
  });
});

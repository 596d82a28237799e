import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/architecture.md', 'utf8');
const paths = [...page.matchAll(/`((?:src|workflows|activities|console|deploy|scenarios)\/[\w./-]*)`/g)].map(
  ([, path]) => path ?? '',
);

describe('docs/architecture.md', () => {
  it.each([...new Set(paths)])('names %s, which exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it('has one line for each entry of src', () => {
    const tree = page.slice(page.indexOf('```\nworkflows/'), page.indexOf('Every layer'));
    const listed = [...tree.matchAll(/^ {2}([\w.]+)\/? {2,}/gm)].map(([, entry]) => entry);
    expect(listed.sort()).toEqual(readdirSync('src').sort());
  });

  it('lists every file of more than 250 lines among the longest, and no other', () => {
    const table = page.slice(page.indexOf('## The longest files'));
    const listed = [...table.matchAll(/^\| `([\w./-]+)`/gm)].map(([, path]) => path);
    const files = ['src', 'workflows', 'activities', 'console'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    );
    const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
    const long = files.filter((path) => /\.tsx?$/.test(path) && linesOf(path) > 250);
    expect(listed.sort()).toEqual(long.sort());
  });

  it.each(['One callback', 'One staff action', 'One booking', 'One hold'])(
    '%s passes through at most 20 files',
    (title) => {
      const section = page.slice(page.indexOf(`## ${title}`)).split('\n## ')[0] ?? '';
      const steps = section.match(/`(?:src|workflows|activities)\/[\w./-]+\.ts`/g) ?? [];
      expect(steps.length).toBeGreaterThan(5);
      expect(new Set(steps).size).toBeLessThanOrEqual(20);
    },
  );
});

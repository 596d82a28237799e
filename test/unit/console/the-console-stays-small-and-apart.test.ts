import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { buildConsole } = await import(pathToFileURL('scripts/lib/build-console.mjs').href);

interface Metafile {
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>;
}

const sources = readdirSync('console', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => `console/${path}`);

/** What each file imports, from the root; types are marked. */
function importsOf(file: string): { path: string; isType: boolean }[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"]*?from\s)?'([^']+)';/gms)].map(
    ([, type, path = '']) => ({
      path: path.startsWith('.') ? normalize(join(dirname(file), path)) : path,
      isType: type !== undefined,
    }),
  );
}

/** Files that a file reaches by its imports, itself among them where it is in a circle. */
function reachedFrom(start: string, { inputs }: Metafile): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const { path } of inputs[file]?.imports ?? []) {
      if (!path.startsWith('console/') || reached.has(path)) continue;
      reached.add(path);
      open.push(path);
    }
  }
  return reached;
}

describe('the bundle of the console', () => {
  const output = mkdtempSync(join(tmpdir(), 'handover-console-'));
  let metafile: Metafile;
  /** What a browser loads of a type: each language has a file of its own. */
  const sizeOf = (type: string, language: string) =>
    readdirSync(join(output, 'assets'))
      .filter((file) => file.endsWith(type) && (!/^(?:en|ko)-/.test(file) || file.startsWith(`${language}-`)))
      .map((file) => gzipSync(readFileSync(join(output, 'assets', file)), { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0);
  beforeAll(async () => {
    metafile = (await buildConsole(output)) as Metafile;
  });
  afterAll(() => rmSync(output, { recursive: true, force: true }));

  it.each(['en', 'ko'])(
    'has at most 60 KB of script with the texts of %s, and 12 KB of styles, compressed',
    (language) => {
      expect(sizeOf('.js', language)).toBeLessThanOrEqual(60 * 1024);
      expect(sizeOf('.css', language)).toBeLessThanOrEqual(12 * 1024);
    },
  );

  it('has the texts of each language apart from the script', () => {
    const files = readdirSync(join(output, 'assets')).filter((file) => file.endsWith('.js'));
    expect(
      files
        .map((file) => file.replace(/-\w+\.js$/, ''))
        .filter((name) => name !== 'chunk')
        .sort(),
    ).toEqual(['en', 'ko', 'main']);
  });

  it('holds nothing of the service but pure code of the domain', () => {
    const others = Object.keys(metafile.inputs).filter(
      (path) => !/^(?:console|src\/domain|node_modules\/(?:preact|@preact\/signals(?:-core)?))\//.test(path),
    );
    expect(others).toEqual([]);
  });

  it('has no circular import', () => {
    const circular = Object.keys(metafile.inputs).filter(
      (path) => path.startsWith('console/') && reachedFrom(path, metafile).has(path),
    );
    expect(circular).toEqual([]);
  });

  it('has a page that names its script and styles, and holds nothing inline', () => {
    const page = readFileSync(join(output, 'index.html'), 'utf8');
    expect(page).toMatch(/src="\/assets\/main-\w+\.js"/);
    expect(page).toMatch(/href="\/assets\/main-\w+\.css"/);
    expect(page).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/);
  });

  it('has a service worker that names every file of the page', () => {
    const page = readFileSync(join(output, 'index.html'), 'utf8');
    const worker = readFileSync(join(output, 'service-worker.js'), 'utf8');
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(3);
    for (const file of files) expect(worker).toContain(`"${file}"`);
  });
});

describe('the sources of the console', () => {
  it.each(sources)('%s imports of the service only types of the API and code of the domain', (file) => {
    const foreign = importsOf(file).filter(
      ({ path, isType }) =>
        !path.startsWith('console/') &&
        !/^(?:preact|preact\/hooks|@preact\/signals)$/.test(path) &&
        !path.startsWith('src/domain/') &&
        !(isType && (path.startsWith('src/api/') || path === 'zod')),
    );
    expect(foreign).toEqual([]);
  });

  it.each(sources)('%s writes no HTML from text, and no style into the page', (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|eval\(/,
    );
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { buildConsole } = await import(pathToFileURL('scripts/lib/build-console.mjs').href);

interface Metafile {
  inputs: Record<string, unknown>;
}

const kilobyte = 1024;
/** Of scripts with the texts of one language, compressed: what the first page loads, what a browser has with any one screen, and with all. */
const mostScript = { first: 52 * kilobyte, screen: 60 * kilobyte, all: 75 * kilobyte };
const laterScreens = ['callbacks', 'cars', 'reservation', 'shift'];

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

describe('the bundle of the console', () => {
  const output = mkdtempSync(join(tmpdir(), 'handover-console-'));
  let metafile: Metafile;
  const assets = () => readdirSync(join(output, 'assets'));
  const compressed = (files: readonly string[]) =>
    files
      .map((file) => gzipSync(readFileSync(join(output, 'assets', file)), { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0);
  const pageFiles = () => {
    const page = readFileSync(join(output, 'index.html'), 'utf8');
    return [...page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, file]) => file as string);
  };
  const scriptOf = (name: string) => assets().filter((file) => new RegExp(`^${name}-\\w+\\.js$`).test(file));
  /** What the page loads at first: each language has a file of its own. */
  const firstScripts = (language: string) => [
    ...pageFiles().filter((file) => file.endsWith('.js')),
    ...scriptOf(language),
  ];
  beforeAll(async () => {
    metafile = (await buildConsole(output)) as Metafile;
  });
  afterAll(() => rmSync(output, { recursive: true, force: true }));

  it.each(['en', 'ko'])('with the texts of %s, has little script at first, and in all', (language) => {
    const first = compressed(firstScripts(language));
    expect(first).toBeLessThanOrEqual(mostScript.first);
    for (const screen of laterScreens)
      expect(first + compressed(scriptOf(screen)), screen).toBeLessThanOrEqual(mostScript.screen);
    const other = language === 'en' ? 'ko' : 'en';
    const all = assets().filter((file) => file.endsWith('.js') && !scriptOf(other).includes(file));
    expect(compressed(all)).toBeLessThanOrEqual(mostScript.all);
  });

  it('has at most 12 KB of styles, compressed', () => {
    expect(compressed(assets().filter((file) => file.endsWith('.css')))).toBeLessThanOrEqual(12 * kilobyte);
  });

  it('has the texts of each language, and each of the later screens, apart from the first scripts', () => {
    const named = assets()
      .filter((file) => file.endsWith('.js') && !file.startsWith('chunk-'))
      .map((file) => file.replace(/-\w+\.js$/, ''));
    expect(named.sort()).toEqual(['en', 'ko', 'main', ...laterScreens].sort());
    const first = firstScripts('en').map((file) => file.replace(/-\w+\.js$/, ''));
    expect(first.filter((name) => name !== 'chunk').sort()).toEqual(['en', 'main']);
  });

  it('holds nothing of the service but pure code of the domain', () => {
    const others = Object.keys(metafile.inputs).filter(
      (path) => !/^(?:console|src\/domain|node_modules\/(?:preact|@preact\/signals(?:-core)?))\//.test(path),
    );
    expect(others).toEqual([]);
  });

  it('has a page that names its script and styles, and holds nothing inline', () => {
    const page = readFileSync(join(output, 'index.html'), 'utf8');
    expect(page).toMatch(/src="\/assets\/main-\w+\.js"/);
    expect(page).toMatch(/href="\/assets\/main-\w+\.css"/);
    expect(page).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/);
  });

  it('has a manifest whose icons are files of the build', () => {
    const { icons, start_url } = JSON.parse(readFileSync(join(output, 'manifest.webmanifest'), 'utf8'));
    expect(start_url).toBe('/go');
    const files = icons.map(({ src }: { src: string }) => src.replace('/assets/', ''));
    expect(files).toHaveLength(3);
    for (const file of files) expect(assets()).toContain(file);
    expect(readFileSync(join(output, 'index.html'), 'utf8')).toContain('href="/manifest.webmanifest"');
  });

  it('has a service worker that names every file of the page and both languages, and no later screen', () => {
    const worker = readFileSync(join(output, 'service-worker.js'), 'utf8');
    const stored = [...worker.matchAll(/"\/assets\/([^"]+\.[^"]+)"/g)].map(([, file]) => file);
    expect(stored.sort()).toEqual([...pageFiles(), ...scriptOf('en'), ...scriptOf('ko')].sort());
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

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iconNames } from '../../../console/design/icons.js';

const { buildConsole } = await import(pathToFileURL('scripts/lib/build-console.mjs').href);

interface Metafile {
  inputs: Record<string, unknown>;
}

const kilobyte = 1024;
const serviceWorker = '../service-worker.js';
/** Of all scripts, compressed, with the service worker: what a browser loads, and with the language that it does not load. */
const mostScript = { loaded: 60 * kilobyte, all: 66 * kilobyte };

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
  const scripts = () => assets().filter((file) => file.endsWith('.js'));
  beforeAll(async () => {
    metafile = (await buildConsole(output)) as Metafile;
  });
  afterAll(() => rmSync(output, { recursive: true, force: true }));

  it.each(['en', 'ko'])(
    'has at most 60 KB of script in all, compressed, with the texts of %s',
    (language) => {
      const other = scriptOf(language === 'en' ? 'ko' : 'en');
      const loaded = scripts().filter((file) => !other.includes(file));
      expect(compressed([...loaded, serviceWorker])).toBeLessThanOrEqual(mostScript.loaded);
      expect(compressed([...scripts(), serviceWorker])).toBeLessThanOrEqual(mostScript.all);
    },
  );

  it('has at most 12 KB of styles, compressed', () => {
    expect(compressed(assets().filter((file) => file.endsWith('.css')))).toBeLessThanOrEqual(12 * kilobyte);
  });

  it('has a page of at most 2 KB, compressed, with its drawings', () => {
    expect(compressed(['../index.html'])).toBeLessThanOrEqual(2 * kilobyte);
  });

  it('is one script for all screens, and one for the texts of each language', () => {
    const named = scripts().map((file) => file.replace(/-\w+\.js$/, ''));
    expect(named.sort()).toEqual(['en', 'ko', 'main']);
    expect(pageFiles().filter((file) => file.endsWith('.js'))).toEqual(scriptOf('main'));
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

  it('has a page with a drawing for each name of an icon', () => {
    const page = readFileSync(join(output, 'index.html'), 'utf8');
    const drawn = [...page.matchAll(/<symbol id="icon-([\w-]+)"/g)].map(([, name]) => name);
    expect(drawn.sort()).toEqual([...iconNames].sort());
  });

  it('has a manifest whose icons are files of the build', () => {
    const { icons, start_url } = JSON.parse(readFileSync(join(output, 'manifest.webmanifest'), 'utf8'));
    expect(start_url).toBe('/go');
    const files = icons.map(({ src }: { src: string }) => src.replace('/assets/', ''));
    expect(files).toHaveLength(3);
    for (const file of files) expect(assets()).toContain(file);
    expect(readFileSync(join(output, 'index.html'), 'utf8')).toContain('href="/manifest.webmanifest"');
  });

  it('has a service worker that names every file of the page and both languages', () => {
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

  it.each(sources)('%s writes no HTML from text', (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|eval\(/,
    );
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../../console/texts/en.js';
import { ko } from '../../../console/texts/ko.js';

const { packTexts } = await import(pathToFileURL('scripts/lib/pack-texts.mjs').href);

const keys = Object.keys(en) as (keyof typeof en)[];
const sources = readdirSync('console', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join('console', path));

/** Builds one source of the console as the bundle has it. */
async function packed(folder: string, source: string): Promise<Record<string, unknown>> {
  const entry = join(folder, 'console', 'entry.ts');
  mkdirSync(join(folder, 'console'), { recursive: true });
  writeFileSync(entry, source);
  const plugin = (await packTexts(join(folder, 'console', sep))) as Plugin;
  const outfile = join(folder, 'entry.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    plugins: [plugin],
    logLevel: 'silent',
  });
  return import(pathToFileURL(outfile).href);
}

describe('the texts in the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-texts-'));
  let bundle: { texts: Record<'en' | 'ko', Record<string, string>>; written: string[] };
  beforeAll(async () => {
    const at = (file: string) => JSON.stringify(resolve('console', 'texts', file));
    bundle = (await packed(
      folder,
      `import { en } from ${at('en.ts')};
import { ko } from ${at('ko.ts')};
import { unpack } from ${at('unpack.ts')};
export const texts = { en: unpack(en), ko: unpack(ko) };
export const written = [${keys.map((key) => `'${key}'`).join(', ')}];`,
    )) as unknown as typeof bundle;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has each text of both languages under the key that a source writes out', () => {
    for (const [at, key] of keys.entries()) {
      const written = bundle.written[at] as string;
      expect(bundle.texts.en[written], key).toBe(en[key]);
      expect(bundle.texts.ko[written], key).toBe(ko[key]);
    }
  });

  it('has each text of a code under its name', () => {
    for (const key of keys.filter((one) => one.includes(':'))) {
      expect(bundle.texts.en[key], key).toBe(en[key]);
      expect(bundle.texts.ko[key], key).toBe(ko[key]);
    }
  });

  it('cannot be built where a code is compared that is also the key of a text', async () => {
    const source = "export const isKnown = (code: string) => code === 'nav.now';";
    await expect(packed(mkdtempSync(join(folder, 'compared-')), source)).rejects.toThrow(
      "'nav.now' is compared, and is also the key of a text",
    );
  });

  it.each(sources)('%s puts a key together only of a prefix with a colon and a code', (file) => {
    const templates = readFileSync(file, 'utf8').matchAll(/\bt\(`([^`$]*)\$\{/g);
    for (const [, prefix] of templates) expect(prefix).toContain(':');
  });
});

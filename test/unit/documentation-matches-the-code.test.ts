import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { problemCodes } from '../../src/api/http/problem-codes.js';
import { removed } from '../../src/app/config/removed.js';
import { variables } from '../../src/app/config/variables.js';
import { attentionKinds } from '../../src/domain/reservation/index.js';
import { gaps } from '../../src/platform/gaps.js';
import { startApi } from '../support/api.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const top = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const inDocs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
const pages = await Promise.all(
  [...top, ...inDocs.map((name) => `docs/${name}`)].map(async (path) => ({ path, text: await read(path) })),
);
const rules = new Set([
  ...idsIn(await read('docs/lifecycle.md'), /^(?:\| |\*\*)(L\d\d)\b/gm),
  ...idsIn(await read('docs/fleet.md'), /^\| (F\d\d)\b/gm),
]);
/** Codes that look like variables. */
const codes = [...Object.keys(problemCodes), 'CODEC_KEY_UNKNOWN'];
const handoverVariable = /\b(?:HANDOVER|SANDBOX|PLATFORM|CALLBACK|CODEC)_[A-Z_]*[A-Z]\b/g;

function idsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([whole, id = whole]) => id);
}

it('every link to a file leads to one, and to a heading that is there', async () => {
  for (const { path, text } of pages) {
    for (const link of idsIn(text, /\]\(([^)\s]+)\)/g).filter((target) => !/^https?:/.test(target))) {
      const [file = '', heading] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(root, target)), `${path}: ${link}`).toBe(true);
      if (heading === undefined) continue;
      const headings = idsIn(await read(target), /^#+ (.+)$/gm).map(anchor);
      expect(headings, `${path}: ${link}`).toContain(heading);
    }
  }
});

it('every picture of a page exists, every picture is on a page, and none is large', async () => {
  const shown = new Set<string>();
  for (const { path, text } of pages) {
    for (const picture of idsIn(text, /(?:!\[[^\]]*\]\(|<img src=")([^)"]+)/g)) {
      const file = join(dirname(path), picture);
      expect(existsSync(join(root, file)), `${path}: ${picture}`).toBe(true);
      shown.add(file);
    }
  }
  for (const name of await readdir(join(root, 'docs/images'))) {
    expect(shown).toContain(`docs/images/${name}`);
    expect((await stat(join(root, 'docs/images', name))).size, name).toBeLessThan(150 * 1024);
  }
});

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

it('every named npm script exists', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  for (const { path, text } of pages) {
    const named = [...idsIn(text, /npm run ([\w:-]+)/g), ...idsIn(text, /npm (start|test)\b/g)];
    for (const name of named) expect(Object.keys(scripts), path).toContain(name);
  }
});

it("the README's two commands are npm start and npm test", async () => {
  const [commands] = idsIn(await read('README.md'), /## Two commands\s+```sh\n([\s\S]+?)```/g);
  expect(commands?.trim().split('\n')).toEqual(['npm start', 'npm test']);
});

it('every named command of handover exists', async () => {
  const commands = idsIn(await read('src/cli.ts'), /(?:case|argv\[0\] ===) '(\w+)'/g);
  for (const { path, text } of pages) {
    for (const name of idsIn(text, /`handover (\w+)/g)) expect(commands, `${path}: ${name}`).toContain(name);
  }
});

it('every path in backticks that starts with a folder of the project exists', () => {
  for (const { path, text } of pages) {
    const named = idsIn(text, /`((?:src|test|workflows|activities|docs|docker|scripts|bench)\/[\w./-]*)`/g);
    for (const file of named) expect(existsSync(join(root, file)), `${path}: ${file}`).toBe(true);
  }
});

it('every named variable is read by Handover, Temporal or the tests', () => {
  const known = new Set([...Object.keys(variables), 'HANDOVER_TEST_DATABASE_URL', ...codes]);
  for (const { path, text } of pages) {
    // the changelog names those that were removed
    const here = path === 'CHANGELOG.md' ? [...known, ...Object.keys(removed)] : [...known];
    for (const name of idsIn(text, handoverVariable)) expect(here, `${path}: ${name}`).toContain(name);
  }
});

it('every rule that is cited, on a page or in the code, exists, and so does every gap on a page', async () => {
  const code = await Promise.all(['src', 'workflows', 'activities', 'test'].map(sources));
  expect(rules.size).toBeGreaterThan(40);
  for (const { path, text } of [...pages, ...code.flat()]) {
    for (const id of idsIn(text, /\b[LF]\d\d\b/g)) expect([...rules], `${path}: ${id}`).toContain(id);
  }
  for (const { path, text } of pages) {
    for (const id of idsIn(text, /\bG\d\d\b/g)) expect(Object.keys(gaps), `${path}: ${id}`).toContain(id);
  }
});

async function sources(folder: string) {
  const names = await readdir(join(root, folder), { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
  return Promise.all(files.map(async (path) => ({ path, text: await read(path) })));
}

it('docs/operations.md lists every attention item with its rule, the most severe first', async () => {
  const rows = [...(await read('docs/operations.md')).matchAll(/^\| `([\w-]+)` \| ([LF]\d\d) \|/gm)];
  const table =
    /ruleOf.*?\{([\s\S]+?)\n\}/.exec(await read('src/domain/reservation/attention.ts'))?.[1] ?? '';
  const inCode = [...table.matchAll(/^ {2}'?([\w-]+)'?: '([LF]\d\d)',$/gm)];
  expect(rows.map(([, kind, rule]) => [kind, rule])).toEqual(inCode.map(([, kind, rule]) => [kind, rule]));
  expect(rows.map(([, kind]) => kind).toSorted()).toEqual([...attentionKinds].toSorted());
});

it('every request of the status API that a page shows is one that it serves', async () => {
  const { ask, close } = await startApi();
  try {
    const { paths }: { paths: Record<string, Record<string, unknown>> } = (await ask('/docs/json')).body;
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: asPattern(path) })),
    );
    for (const { path: page, text } of pages.filter(({ path }) => !path.startsWith('docs/gap'))) {
      for (const [method, path] of requestsIn(text)) {
        const found = served.some((one) => one.method === method && one.path.test(path));
        expect(found, `${page}: ${method} ${path}`).toBe(true);
      }
    }
  } finally {
    await close();
  }
});

function asPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** `GET /api/inbox`, and the curl lines. */
function requestsIn(text: string): (readonly [string, string])[] {
  const spoken = [...text.matchAll(/`(GET|PUT|POST|DELETE) (\/api[^`\s?]*)`/g)].map(
    ([, method = '', path = '']) => [method, path] as const,
  );
  const curls = [
    ...text.replaceAll('\\\n', ' ').matchAll(/^curl (.*?)http:\/\/127\.0\.0\.1:8080(\S+)$/gm),
  ].map(([, options = '', path = '']) => [/-X (\w+)/.exec(options)?.[1] ?? 'GET', path] as const);
  return [...spoken, ...curls];
}

it('docs/changing-workflows.md lists every patch of the workflows, the oldest version first', async () => {
  const code = (await sources('workflows')).map(({ text }) => text).join('\n');
  const inCode = new Set(idsIn(code, /\b(?:patched|deprecatePatch)\('([\w-]+)'\)/g));
  const rows = [
    ...(await read('docs/changing-workflows.md')).matchAll(/^\| `([\w-]+)` \| (\d+\.\d+\.\d+) \|/gm),
  ];
  expect(rows.map(([, id]) => id).toSorted()).toEqual([...inCode].toSorted());
  const versions = rows.map(([, , version]) => version);
  expect(versions).toEqual(versions.toSorted());
});

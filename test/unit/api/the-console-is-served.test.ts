import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';

const page = '<!doctype html><title>Handover</title>';
let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'service-worker.js'), 'self;');
  await writeFile(join(folder, 'manifest.webmanifest'), '{}');
  await writeFile(join(folder, 'private.txt'), 'not an asset');
  await writeFile(join(folder, 'assets', 'main-ABC123.js'), 'void 0;');
  api = await startApi({ consoleFolder: folder });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const headersOf = ({ headers }: { headers: Headers }, ...names: string[]) =>
  names.map((name) => headers.get(name));

it.each(['/', '/?lane=out', '/r/8421', '/r/8421/timeline', '/go', '/cars', '/in', '/shift'])(
  '%s is the page, requested each time',
  async (path) => {
    const answer = await api.ask(path);
    expect([answer.status, answer.type, answer.text]).toEqual([200, 'text/html; charset=utf-8', page]);
    expect(headersOf(answer, 'cache-control')).toEqual(['no-cache']);
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await api.ask(path, { headers });
    expect([again.status, again.text]).toEqual([304, '']);
  },
);

it('nothing inline runs, no other site shows it, and no address leaves it', async () => {
  for (const path of ['/', '/assets/main-ABC123.js']) {
    const answer = await api.ask(path);
    const [csp, ...others] = headersOf(
      answer,
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
    );
    expect(csp).toMatch(/^default-src 'self'; /);
    // what a directive of its own does not name is by `default-src`
    expect(csp).not.toMatch(/(img|manifest|script|style|connect)-src|blob:|data:/);
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).not.toContain('unsafe');
    expect(others).toEqual(['nosniff', 'same-origin', 'same-origin']);
  }
});

it('assets are stored by browsers for a year: their names change with their content', async () => {
  const answer = await api.ask('/assets/main-ABC123.js');
  expect([answer.status, answer.text]).toEqual([200, 'void 0;']);
  expect(headersOf(answer, 'content-type', 'cache-control')).toEqual([
    'application/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
});

it.each([
  ['/assets/main-ABC123.js', 'assets/main-ABC123.js', 'void 0;', 'application/javascript; charset=utf-8'],
  ['/go', 'index.html', page, 'text/html; charset=utf-8'],
])('%s is sent compressed to browsers that accept it', async (path, file, text, type) => {
  await writeFile(join(folder, `${file}.gz`), gzipSync(text));
  const compressed = await api.ask(path, { headers: { 'accept-encoding': 'gzip' } });
  expect([compressed.status, compressed.text]).toEqual([200, text]);
  expect(headersOf(compressed, 'content-encoding', 'content-type', 'vary')).toEqual([
    'gzip',
    type,
    'accept-encoding',
  ]);
  const plain = await api.ask(path, { headers: { 'accept-encoding': 'identity' } });
  expect([plain.text, ...headersOf(plain, 'content-encoding')]).toEqual([text, null]);
});

it('the service worker has one name, is requested each time, and may serve any page of this server', async () => {
  const answer = await api.ask('/service-worker.js');
  expect([answer.status, answer.text]).toEqual([200, 'self;']);
  const names = ['content-type', 'cache-control', 'x-content-type-options'] as const;
  expect(headersOf(answer, ...names)).toEqual([
    'application/javascript; charset=utf-8',
    'no-cache',
    'nosniff',
  ]);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /);
});

it('phones install it by its manifest, which is requested each time', async () => {
  const answer = await api.ask('/manifest.webmanifest');
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(headersOf(answer, 'content-type', 'cache-control')).toEqual([
    'application/manifest+json',
    'no-cache',
  ]);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /);
});

it.each(['/', '/go', '/r/1', '/service-worker.js', '/assets/main-ABC123.js'])(
  'HEAD %s is answered without a body',
  async (path) => {
    const { status, text } = await api.ask(path, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  },
);

describe('what is no page is refused as by the API', () => {
  it.each([
    '/assets/none.js',
    '/assets/',
    '/assets/../private.txt',
    '/assets/..%2fprivate.txt',
    '/assets/%2e%2e/private.txt',
    '/private.txt',
    '/index.html',
    '/carsx',
    '/r',
    '/api/none',
  ])('%s is 404', async (path) => {
    const { status, type, body } = await api.ask(path);
    expect([status, type, body.code]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      'ROUTE_NOT_FOUND',
    ]);
  });

  it.each(['/', '/cars'])('POST %s is 405', async (path) => {
    const { status, headers } = await api.ask(path, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it('an answer of the API is marked, a page is not', async () => {
  const marked = async (path: string) => (await api.ask(path, { as: 'viewer' })).headers.has('handover-api');
  expect(await marked('/api/me')).toBe(true);
  expect(await marked('/api/reservations')).toBe(true);
  expect(await marked('/')).toBe(false);
});

it('the API document does not list it', async () => {
  const { paths } = (await api.ask('/docs/json')).body as { paths: object };
  expect(Object.keys(paths).filter((path) => !/^\/(?:api|healthz|readyz|metrics)/.test(path))).toEqual([]);
});

it('without a build the page states what to do', async () => {
  const without = await startApi();
  try {
    const { status, type, text } = await without.ask('/');
    expect([status, type]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(text).toContain('npm run build');
    for (const path of ['/assets/main-ABC123.js', '/service-worker.js', '/manifest.webmanifest']) {
      expect((await without.ask(path)).status).toBe(404);
    }
  } finally {
    await without.close();
  }
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { secretVariables, variables } from '../../src/app/config/variables.js';
import { childEnvironment } from '../../src/store/files/child-environment.js';
import { run } from '../../src/temporal/server/provision/run.js';

const needed = {
  PATH: '/bin',
  HOME: '/home/x',
  TMPDIR: '/tmp',
  LC_ALL: 'C',
  TZ: 'UTC',
};
const forBuilds = {
  https_proxy: 'http://proxy',
  NO_PROXY: 'localhost',
  GOPROXY: 'https://proxy.example',
  GOMODCACHE: '/cache',
  MAVEN_OPTS: '-Xmx1g',
  JAVA_HOME: '/java',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
};

it('an engine gets what every program needs, a build also the way to its registries', () => {
  const env = { ...needed, ...forBuilds, GOMAXPROCS: '2' };
  expect(childEnvironment('run', env)).toEqual({ ...needed, GOMAXPROCS: '2', JAVA_HOME: '/java' });
  expect(childEnvironment('build', env)).toEqual({ ...needed, ...forBuilds });
});

it('no variable of Handover or Temporal, of the cloud or of a database is passed on', () => {
  const names = [
    ...Object.keys(variables),
    'TEMPORAL_API_KEY',
    'TEMPORAL_TLS_CLIENT_KEY_DATA',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'GITHUB_TOKEN',
    'NODE_OPTIONS',
  ];
  expect(names).toEqual(expect.arrayContaining([...secretVariables]));
  const env = Object.fromEntries(names.map((name) => [name, 'hush']));
  expect(childEnvironment('run', env)).toEqual({});
  expect(childEnvironment('build', env)).toEqual({});
});

it('a build command is run without a secret of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handover-build-'));
  try {
    const script = "require('node:fs').writeFileSync('seen.json', JSON.stringify(process.env))";
    await run(process.execPath, ['-e', script], {
      env: { ...process.env, CODEC_KEYS: 'hush', HTTPS_PROXY: 'http://proxy' },
      settings: { GOBIN: folder },
      cwd: folder,
      progress: 'building',
      onProgress: () => undefined,
    });
    const seen = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
    expect(seen).toMatchObject({ GOBIN: folder, HTTPS_PROXY: 'http://proxy', PATH: process.env.PATH });
    expect(JSON.stringify(seen)).not.toContain('hush');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('every program that the product starts is given its environment by that function', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const starts: string[] = [];
  for (const folder of ['src', 'activities', 'workflows']) {
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(root, folder, file), 'utf8');
      if (text.includes("'node:child_process'")) {
        starts.push(file);
        expect([file, text.includes('childEnvironment(')]).toEqual([file, true]);
      }
    }
  }
  expect(starts.length).toBeGreaterThan(3);
});

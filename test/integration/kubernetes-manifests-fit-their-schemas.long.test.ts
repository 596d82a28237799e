import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { documentedManifests, patchedAsDocumented } from '../support/documented-manifests.js';
import { pythonTool } from '../support/python-tool.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));
const files = (await readdir(folder, { recursive: true })).filter(
  (file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'),
);

const validator = await pythonTool('kubernetes-validate', '1.37.0');
const without = 'missing' in validator ? ` (skipped: ${validator.missing})` : '';
describe.skipIf('missing' in validator)(`the manifests of deploy/kubernetes${without}`, () => {
  const path = 'path' in validator ? validator.path : '';
  /** What the validator prints; it fails for a field that the schema does not know. */
  const validate = (file: string, release: string) =>
    run(path, ['--strict', '-k', release, file]).then(
      ({ stdout, stderr }) => ({ holds: true, report: stdout + stderr }),
      ({ stdout, stderr }) => ({ holds: false, report: stdout + stderr }),
    );

  it.each(files)('%s fits the schemas of Kubernetes 1.30 and 1.36', async (file) => {
    for (const release of ['1.30', '1.36'])
      expect(await validate(join(folder, file), release)).toMatchObject({ holds: true });
  });

  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'handover-manifests-'));
    await cp(folder, copy, { recursive: true });
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('those that docs/deploying.md shows, and what its patches make of these, fit them too', async () => {
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const manifests = texts.flatMap((text) => parseAllDocuments(text)).map((document) => document.toJS());
    const shown = [...documentedManifests, ...patchedAsDocumented(manifests)];
    expect(shown.map(({ kind }) => kind)).toEqual(['Ingress', 'Deployment', 'Service', 'NetworkPolicy']);
    const file = join(copy, 'documented.yaml');
    await writeFile(file, shown.map((manifest) => stringify(manifest)).join('---\n'));
    for (const release of ['1.30', '1.36'])
      expect(await validate(file, release)).toMatchObject({ holds: true });
  });

  describe('a manifest with', () => {
    it.each([
      ['a misspelled field', 'readinessProbe:', 'readynessProbe:'],
      ['a number that is none', 'replicas: 2', 'replicas: two'],
    ])('%s is refused', async (_, right, wrong) => {
      const file = join(copy, 'api.yaml');
      const text = await readFile(join(folder, 'api.yaml'), 'utf8');
      expect(text).toContain(right);
      await writeFile(file, text.replace(right, wrong));
      expect(await validate(file, '1.36')).toMatchObject({ holds: false });
    });
  });
});

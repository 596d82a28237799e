import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, type Ready } from '../support/process.js';
import { checkDocument, schemathesis } from '../support/schemathesis.js';

const tester = await schemathesis();
const without = 'missing' in tester ? ` (skipped: ${tester.missing})` : '';
const seed = Number(process.env.FUZZ_SEED ?? 1);

/** Requests that fit the document, and requests that do not, by a tester that reads nothing but the document. */
describe.skipIf('missing' in tester)(`generated requests${without}`, () => {
  const path = 'path' in tester ? tester.path : '';
  let deployment: Deployment;
  let ready: Ready;
  beforeAll(async () => {
    deployment = await Deployment.create();
    const run = deployment.run(['up', '--demo-pace', '0']);
    ready = await run.ready();
    await run.says(/\d of \d reservations ended as planned/, 120_000);
  }, 240_000);
  afterAll(() => deployment?.remove());

  it(`the status API (FUZZ_SEED=${seed})`, async () => {
    const { holds, report } = await checkDocument(path, {
      url: ready.api,
      token: ready.tokens.manager ?? '',
      seed,
    });
    expect(holds, report).toBe(true);
  });

  it(`the sandbox (FUZZ_SEED=${seed})`, async () => {
    const url = ready.sandbox ?? '';
    const { holds, report } = await checkDocument(path, { url, token: deployment.supplierKey(), seed });
    expect(holds, report).toBe(true);
  });

  it('no request made the service fail', () => {
    const log = readFileSync(join(deployment.dataDir, 'handover.log'), 'utf8');
    expect(log.match(/a request failed|sandbox request failed/g)).toBeNull();
  });
});

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { problemCodes } from '../../../src/api/http/problem-codes.js';
import { callCodes, PlatformCallError } from '../../../src/platform/errors.js';

const row = /^\| `([A-Z0-9_]+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm;

it('docs/problems.md lists every code with its status, and no code that does not exist', async () => {
  const page = await readFile(new URL('../../../docs/problems.md', import.meta.url), 'utf8');
  const listed = Object.fromEntries(
    [...page.matchAll(row)].map(([, code, status]) => [code, Number(status)]),
  );
  const known = Object.entries(problemCodes).map(([code, { status }]) => [code, status]);
  expect(listed).toEqual(Object.fromEntries(known));
});

it('each refusal of the platform has a code on the page', () => {
  const details = { operation: 'dispatchStart' };
  const refusals = callCodes.filter(
    (code) => new PlatformCallError(code, 'no', details).outcome.outcome !== 'unknown',
  );
  for (const code of refusals) expect(Object.keys(problemCodes)).toContain(code);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Deployment } from '../support/process.js';

const scenario = (name: string) => fileURLToPath(new URL(`../../scenarios/${name}.yaml`, import.meta.url));
let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
}, 180_000);
afterAll(() => deployment?.remove());

async function rehearse(...args: string[]) {
  const run = deployment.run(['rehearse', ...args], { TEMPORAL_TEST_SERVER_PATH: inject('testServerPath') });
  return { code: await run.ended, out: run.stdout, said: run.stderr };
}
const written = (name: string, text: string): string => {
  const file = join(deployment.folder, name);
  writeFileSync(file, text);
  return file;
};

it('handover rehearse plays files, prints the timeline of each with its alerts, and ends with 0 when every expectation holds', {
  timeout: 120_000,
}, async () => {
  const { code, out } = await rehearse(scenario('no-show-unreported'), scenario('cancelled-before-dispatch'));
  expect(out).toMatch(/^No-show without a callback {2}\[L42\]$/m);
  expect(out).toMatch(/^ +end\+3m +timer +L42 {2}/m);
  expect(out).toMatch(/ALERT +callback-overdue raised: /);
  expect(out).toMatch(/^PASSED {2}Cancelled before dispatch/m);
  expect(out).toContain('2 of 2 scenarios passed');
  expect(code).toBe(0);
});

it('a scenario whose expectation fails ends with 1 and the difference; --json prints the same for a program', {
  timeout: 120_000,
}, async () => {
  const wrong = written(
    'wrong.yaml',
    'title: Wrong\nstory: It is not so.\nrules: [L22]\nrental: { starts: 3h, lasts: 1d }\nsteps:\n  - customer: book\n    see: { status: 35 }\n',
  );
  const { code, out } = await rehearse('--json', wrong);
  expect(code).toBe(1);
  const sights = [{ what: 'status', expected: '35', seen: '5', holds: false }];
  expect(JSON.parse(out)).toMatchObject([{ title: 'Wrong', passed: false, failures: [{ line: 6, sights }] }]);
});

it('every problem of every file is reported before anything starts', async () => {
  const broken = written('broken.yaml', 'title: Broken\nsteps:\n  - custumer: book\n');
  const { code, out, said } = await rehearse(broken, join(deployment.folder, 'none.yaml'));
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(said).toContain(`${broken}:3:5  "custumer" is unknown here; did you mean "customer"?`);
  expect(said).toContain('none.yaml cannot be read (ENOENT)');
  expect(said).not.toContain('    at ');
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readScenario } from '../../src/tools/rehearse/format/read.js';
import { runScenario } from '../../src/tools/rehearse/play/run.js';
import { toText } from '../../src/tools/rehearse/print.js';
import type { Stage } from '../../src/tools/rehearse/stage/stage.js';
import { openTestStage } from '../support/stage.js';

const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
let stage: Stage;
beforeAll(async () => {
  stage = await openTestStage(inject('testServerPath'));
});
afterAll(() => stage?.close());

it('L42, L43: the example of docs/scenarios.md runs as the page shows', async () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? expect.fail('no example on the page');
  const rehearsal = await runScenario(stage, readScenario(example, 'docs/scenarios.md'));
  expect(rehearsal.passed, toText(rehearsal)).toBe(true);
  // the lines that the page shows of it, up to where it leaves something out
  const output = toText(rehearsal);
  const shown = /```\n( {2}start[\s\S]*?)```/.exec(page)?.[1] ?? expect.fail('no story on the page');
  for (const line of shown.trimEnd().split('\n')) {
    const beginning = line
      .trim()
      .replace(/ ?…$/, '')
      .replace(/^(\S+) {2,}/, '');
    expect(output).toContain(beginning);
  }
});

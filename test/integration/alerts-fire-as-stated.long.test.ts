import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hasPrometheus,
  prometheusFolder,
  promtool,
  ruleFiles,
  rules,
  withoutPrometheus,
} from '../support/prometheus.js';

const tests = join(prometheusFolder, 'tests');
const names = [...new Set(rules.flatMap(({ alert }) => alert ?? []))];
const written = readdirSync(tests).map((file) => readFileSync(join(tests, file), 'utf8'));

describe.skipIf(!hasPrometheus)(`the alerts of deploy/prometheus${withoutPrometheus}`, () => {
  it('fire where their cause is there, and not where it is nearly there', async () => {
    await promtool('test', 'rules', ...readdirSync(tests).map((file) => join(tests, file)));
  }, 120_000);

  it.each(names)('%s has a test in which it fires, and one in which it does not', (name) => {
    const cases = written.flatMap((text) => text.split(`- expr: ALERTS{alertname="${name}"`).slice(1));
    const [quiet, firing] = [/^.*\n.*\n\s+exp_samples: \[\]/, /^.*\n.*\n\s+exp_samples:\n\s+- labels/];
    expect(cases.filter((text) => quiet.test(text)).length).toBeGreaterThan(0);
    expect(cases.filter((text) => firing.test(text)).length).toBeGreaterThan(0);
  });

  it('these tests fail where a threshold is another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'handover-rules-'));
    const changed = (text: string) =>
      text.replace(
        'handover_inbox_oldest_waiting_seconds) > 60',
        'handover_inbox_oldest_waiting_seconds) > 30',
      );
    for (const file of ruleFiles)
      await writeFile(join(folder, file), changed(readFileSync(join(prometheusFolder, file), 'utf8')));
    const test = readFileSync(join(tests, 'alerts.yml'), 'utf8').replace('../', '');
    await writeFile(join(folder, 'test.yml'), test);
    await expect(promtool('test', 'rules', join(folder, 'test.yml'))).rejects.toThrow(
      'HandoverCallbacksWait',
    );
    await rm(folder, { recursive: true });
  });
});

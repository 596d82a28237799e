import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertKinds } from '../../src/store/alerts/kinds.js';

const folder = 'deploy/prometheus';
const rules = readdirSync(folder)
  .filter((name) => name.startsWith('rules-'))
  .flatMap((name): { rules: { alert?: string; annotations: Record<string, string> }[] }[] => {
    return parse(readFileSync(`${folder}/${name}`, 'utf8')).groups;
  })
  .flatMap((group) => group.rules)
  .filter(({ alert }) => alert !== undefined);

const page = readFileSync('docs/runbook.md', 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
/** A fast and a slow alert of one objective have one section. */
const sectionOf = (alert: string) => alert.replace(/(?:Fast|Slow)$/, '');
const wanted = [...rules.map(({ alert = '' }) => sectionOf(alert)), ...alertKinds];

describe('docs/runbook.md', () => {
  it.each([...new Set(wanted)])(
    '%s: what it means, how to recognise it, what to do, what not to do',
    (name) => {
      const parts = [...(sections.get(name) ?? '').matchAll(/^\*\*(.+?)\.\*\* (.+)$/gm)];
      expect(parts.map(([, part]) => part)).toEqual(['Means', 'Recognise it', 'Do', 'Do not']);
      for (const [, , text = ''] of parts) expect(text.length).toBeGreaterThan(15);
    },
  );

  it('has no section of an alert that does not exist', () => {
    expect([...sections.keys()].sort()).toEqual([...new Set(wanted)].sort());
  });

  it('each alert of Prometheus leads to its section, at the address that prometheus.yml has once', () => {
    for (const { alert = '', annotations } of rules)
      expect(annotations.runbook).toBe(
        `{{ $externalLabels.handover_docs }}docs/runbook.md#${sectionOf(alert).toLowerCase()}`,
      );
    const { global, alerting } = parse(readFileSync(`${folder}/prometheus.yml`, 'utf8'));
    expect(global.external_labels.handover_docs).toMatch(/^https:.+\/$/);
    expect(alerting.alertmanagers).toHaveLength(1);
  });
});

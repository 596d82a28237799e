import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// the long lane compares this page with what a running product shows (dashboards-and-alerts-have-data)
const page = readFileSync('docs/monitoring.md', 'utf8');
const [, scheme = ''] = /`handover_<part>_<what>_<unit>`, where the part is ([^.]+)\./.exec(page) ?? [];
const parts = [...scheme.matchAll(/`(\w+)`/g)].map(([, part = '']) => part);
/** Name and type: a row may have several names. */
const metrics = [...page.matchAll(/^\| (`handover_[^|]+) \| (\w+) \|/gm)].flatMap(
  ([, names = '', type = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, type })),
);
const namesOf = (pick: (metric: { name: string; type: string }) => boolean) =>
  metrics.filter(pick).map(({ name }) => name);

describe('each metric of docs/monitoring.md', () => {
  it('is read from the page (control)', () => {
    expect(parts.length).toBeGreaterThan(15);
    expect(metrics.length).toBeGreaterThan(40);
    const types = new Set(metrics.map(({ type }) => type));
    expect([...types].sort()).toEqual(['counter', 'gauge', 'histogram']);
  });

  it('names a part of the list, and each part of the list has a metric', () => {
    const isOf = (name: string, part: string) => name.startsWith(`handover_${part}_`);
    expect(namesOf(({ name }) => !parts.some((part) => isOf(name, part)))).toEqual([]);
    expect(parts.filter((part) => !metrics.some(({ name }) => isOf(name, part)))).toEqual([]);
  });

  it('ends in _total where it is a counter, and nowhere else', () => {
    expect(namesOf(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('ends in _seconds where it is a histogram: all are of times', () => {
    expect(namesOf(({ name, type }) => type === 'histogram' && !name.endsWith('_seconds'))).toEqual([]);
  });
});

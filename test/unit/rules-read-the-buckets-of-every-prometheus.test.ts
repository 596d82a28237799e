import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { dashboardExpressions, prometheusFolder, rules } from '../support/prometheus.js';

const expressions = [...rules.map(({ expr }) => expr), ...dashboardExpressions.map(([, , expr]) => expr)];
/** Of the bounds of buckets: operator and value. */
const matchers = expressions.flatMap((expr) => [...expr.matchAll(/\ble\s*(=~|!~|!=|=)\s*"([^"]*)"/g)]);

it('no rule and no dashboard names a whole bound exactly: Prometheus 3 stores 1 as 1.0', () => {
  expect(matchers.length).toBeGreaterThan(20);
  expect(matchers.filter(([, operator, bound]) => operator === '=' && /^\d+$/.test(bound ?? ''))).toEqual([]);
});

it('a pattern of a bound matches both of its forms, and no other bound', () => {
  for (const [, operator, pattern = ''] of matchers.filter(([, found]) => found !== '=')) {
    expect(operator).toBe('=~');
    const bound = Number(pattern.split('|')[0]);
    // Prometheus compares the whole value
    const whole = new RegExp(`^(?:${pattern})$`);
    const others = [bound * 10, bound * 100, bound + 0.5].flatMap((other) => [`${other}`, `${other}.0`]);
    expect([`${bound}`, `${bound}.0`, ...others].filter((value) => whole.test(value))).toEqual([
      `${bound}`,
      `${bound}.0`,
    ]);
  }
});

it('the configuration reads no sandbox, whose end pages no person', () => {
  const { scrape_configs } = parse(readFileSync(join(prometheusFolder, 'prometheus.yml'), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(['handover-api', 'handover-worker']);
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready } from '../support/process.js';
import {
  dashboardExpressions,
  hasPrometheus,
  Prometheus,
  promtool,
  ruleFiles,
  rules,
  withoutPrometheus,
} from '../support/prometheus.js';

describe.skipIf(!hasPrometheus)(`a Prometheus on a running product${withoutPrometheus}`, () => {
  let deployment: Deployment;
  let at: Ready;
  let prometheus: Prometheus;

  beforeAll(async () => {
    deployment = await Deployment.createWithDatabases();
    const run = deployment.run(['up', '--demo-pace', '0']);
    at = await run.ready();
    prometheus = await Prometheus.start({ 'handover-api': at.api, 'handover-sandbox': at.sandbox });
    await run.says(/\d of \d reservations ended as planned/, 120_000);
    await eventually(
      'the demo is in the recorded ratios',
      async () =>
        (await prometheus.query('handover:slo_errors:ratio_rate5m{slo="actions-answered"} >= 0')).length > 0,
      30_000,
      500,
    );
  }, 240_000);
  afterAll(async () => {
    await prometheus?.stop();
    await deployment?.remove();
  });

  it('its rules are valid', async () => {
    expect(await promtool('check', 'rules', ...ruleFiles)).toContain('SUCCESS');
    await promtool('check', 'config', 'prometheus.yml');
  });

  // some figures are those of the last minute
  it.each(dashboardExpressions)(
    '%s, %s: %s has data',
    async (_, __, expr) => {
      const query = expr.replaceAll('$__rate_interval', '1m');
      await eventually(
        `data for ${query}`,
        async () => (await prometheus.query(query)).length > 0,
        80_000,
        500,
      );
    },
    90_000,
  );

  it('every metric of a dashboard and of a rule is one that the product shows, or of the SDK where a task fails', async () => {
    const shown = new Set(
      (await prometheus.query('count by (__name__) ({__name__=~".+"})')).map(({ metric }) => metric.__name__),
    );
    const texts = await Promise.all(
      [at.api, at.sandbox].map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    for (const [, name] of texts.join('\n').matchAll(/^# TYPE (\S+)/gm)) shown.add(name);
    const expressions = [...dashboardExpressions.map(([, , expr]) => expr), ...rules.map(({ expr }) => expr)];
    const named = expressions.flatMap(
      (expr) => expr.match(/\b(?:handover|temporal|nodejs|process)[_:][a-z0-9_:]+/g) ?? [],
    );
    const unknown = [...new Set(named)].filter((name) => !shown.has(name));
    expect(['temporal_workflow_task_execution_failed_total']).toEqual(expect.arrayContaining(unknown));
  });

  it('docs/monitoring.md lists every metric of Handover, and no other', async () => {
    const texts = await Promise.all(
      [at.api, at.sandbox].map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    const shown = [...texts.join('\n').matchAll(/^# TYPE (handover_\w+)/gm)].map(([, name]) => name);
    const rows = readFileSync('docs/monitoring.md', 'utf8').match(/^\| `handover_[^|]+\|/gm) ?? [];
    const listed = rows.join().match(/handover_\w+/g) ?? [];
    // shown once a message was refused
    const rare = ['handover_workflows_refused_messages_total'];
    expect(listed.sort()).toEqual([...new Set([...shown, ...rare])].sort());
  });

  it('no personal data is in any label: each value is a code, a name of the code base or an address of a process', async () => {
    const texts = await Promise.all(
      [at.api, at.sandbox].map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    const labels = [...texts.join('\n').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) =>
      // bounds of histograms
      name === 'le' ? '' : (value ?? ''),
    );
    expect(labels.length).toBeGreaterThan(1_000);
    // no id, phone number, plate, name or text: letters of Latin, and numbers of at most three digits
    expect(
      [...new Set(labels)].filter((value) => !/^[\w.:/ +-]*$/.test(value) || /\d{4}/.test(value)),
    ).toEqual([]);
  });

  it('where nothing fails, no alert fires, and none is pending once the demo has ended', async () => {
    let active: string[] = [];
    const isDecided = async () => {
      const alerts = await prometheus.query('ALERTS');
      active = alerts.map(({ metric }) => `${metric.alertname} ${metric.alertstate}`);
      return active.length === 0 || active.some((alert) => alert.endsWith('firing'));
    };
    // what the start made pending is over when rates of five minutes have forgotten it
    await eventually('no alert is pending, or one fires', isDecided, 360_000, 1_000).catch(() => undefined);
    expect(active).toEqual([]);
  }, 400_000);
});

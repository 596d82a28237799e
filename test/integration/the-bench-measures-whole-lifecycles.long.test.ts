import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import type { Report } from '../../bench/report.js';

const script = fileURLToPath(new URL('../../scripts/bench.mjs', import.meta.url));

it('the bench plays whole lifecycles through the product and its floor, and reports events and latencies of both', async () => {
  const bench = spawn(
    process.execPath,
    [script, '--lifecycles', '2', '--concurrency', '2', '--rounds', '1', '--warm-up', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TEMPORAL_CLI_PATH: inject('devServerPath') },
    },
  );
  const [output, [code]] = await Promise.all([text(bench.stdout), once(bench, 'exit')]);
  expect(code).toBe(0);
  const { rounds, histories } = JSON.parse(output) as Report;
  expect(rounds).toHaveLength(1);
  for (const side of ['product', 'floor'] as const) {
    expect(rounds[0]?.[side]?.action.samples).toBe(16);
    // registration, five status changes on both channels, the parking facts
    expect(rounds[0]?.[side]?.acknowledgement.samples).toBeGreaterThanOrEqual(24);
    expect(histories[side]?.byType.WORKFLOW_EXECUTION_UPDATE_COMPLETED).toBe(8);
  }
});

import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { devServer, type TestDevServer, timeSkippingEnv } from '../support/engine.js';

describe('the dev server', () => {
  let server: TestDevServer;
  beforeAll(async () => {
    server = await devServer();
  });
  afterAll(() => server?.stop());

  it('lists workflows by our search attributes at once', async () => {
    const query = 'HandoverStatus = 15 AND HandoverAttention = "conflict"';
    await expect(server.client.workflow.count(query)).resolves.toMatchObject({ count: 0 });
  });

  it('accepts a second registration of them', async () => {
    await registerSearchAttributes(server.connection, server.namespace);
    const { customAttributes } = await server.connection.operatorService.listSearchAttributes({
      namespace: server.namespace,
    });
    expect(Object.keys(customAttributes)).toEqual(
      expect.arrayContaining(['HandoverStatus', 'HandoverCarId', 'HandoverStart', 'HandoverAttention']),
    );
  });
});

describe('the time-skipping server', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    env = await timeSkippingEnv();
  });
  afterAll(() => env?.teardown());

  it('skips a month without waiting', async () => {
    const before = await env.currentTimeMs();
    await env.sleep('30 days');
    expect((await env.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 24 * 3_600_000);
  });
});

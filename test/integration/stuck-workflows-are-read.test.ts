import { afterAll, beforeAll, expect, it } from 'vitest';
import { listStuckWorkflows } from '../../src/temporal/client/stuck-workflows.js';
import { devServer, type TestDevServer } from '../support/engine.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('a server that reports no stuck workflows is known by its answer: the watch then goes by what the worker has seen', async () => {
  // the embedded engine is older than 1.30
  expect(await listStuckWorkflows(engine.client)).toBeNull();
});

import type { LocalActivityInput, WorkflowExecuteInput } from '@temporalio/workflow';
import { expect, it, vi } from 'vitest';
import type { RecordInput } from '../../src/contract/reservation.js';
import { WritesRowsDirectly } from '../../workflows/direct-rows.js';

const { stored } = vi.hoisted(() => ({ stored: [] as unknown[] }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  proxySinks: () => ({ rows: { store: (rows: unknown) => stored.push(rows) } }),
}));

const rows: RecordInput = { reservationId: 1, verdicts: [], entries: [] };
const write = { activityType: 'record', args: [rows], headers: {} } as unknown as LocalActivityInput;

it('rows reach the worker when their activation is concluded: one that fails before stores none', async () => {
  const interceptor = new WritesRowsDirectly();
  const start = { args: [{ reservationId: 1, direct: true }] } as unknown as WorkflowExecuteInput;
  await interceptor.execute(start, async () => undefined);
  const answer = await interceptor.scheduleLocalActivity(write, async () => expect.fail('no local activity'));
  expect(answer).toEqual({ direct: true });
  expect(stored).toEqual([]);
  interceptor.concludeActivation({ commands: [] }, (input) => input);
  expect(stored).toEqual([rows]);
  interceptor.concludeActivation({ commands: [] }, (input) => input);
  expect(stored, 'each once').toEqual([rows]);
});

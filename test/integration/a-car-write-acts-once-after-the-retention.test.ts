import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CarWrite, CarWriteResult } from '../../src/contract/car-write.js';
import { createCarWriteRows, recordCarWrite } from '../../src/store/cars/writes.js';
import { deleteTextsBefore } from '../../src/store/erasure/old-texts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { carWrites } from '../../src/store/schema.js';
import { temporalCarWrites } from '../../src/temporal/client/cars/writes.js';
import { onOneDatabase } from '../support/database.js';
import { sealer } from '../support/intake.js';

const memo: CarWrite = { kind: 'memo', carId: 1001, content: 'PERSONAL words' };
const day = 86_400_000;

/** Temporal as it is after its retention: it knows no workflow of before, and begins any. */
function forgetfulTemporal() {
  const begun: string[] = [];
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    withAbortSignal: (_: AbortSignal, call: () => Promise<unknown>) => call(),
    workflow: {
      start: async (_: string, { workflowId }: { workflowId: string }) => void begun.push(workflowId),
      getHandle: (workflowId: string) => ({
        describe: async () => {
          throw new WorkflowNotFoundError('forgotten', workflowId, undefined);
        },
        result: async (): Promise<CarWriteResult> => ({ outcome: 'applied', memoId: 7 }),
      }),
    },
  } as unknown as Client;
  return { client, begun };
}

onOneDatabase('a write on a car', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());
  const world = () => {
    const { client, begun } = forgetfulTemporal();
    const writes = temporalCarWrites(client, { rows: createCarWriteRows(database.db, sealer) });
    return { begun, writes };
  };
  const startOf = (commandId: string, write = memo) => ({ commandId, by: 'kim', write });
  const answered = (commandId: string, result: CarWriteResult) =>
    recordCarWrite(database.db, sealer, commandId, result);

  it('F22: a key returns its first answer also after Temporal deleted its workflow; another body is refused', async () => {
    const { begun, writes } = world();
    expect(await writes.write(startOf('memo-1'))).toEqual({ outcome: 'applied', memoId: 7 });
    await answered('memo-1', { outcome: 'applied', memoId: 7 });
    await answered('memo-1', { outcome: 'applied', memoId: 8 });
    for (let repeat = 1; repeat <= 2; repeat++) {
      expect(await writes.write(startOf('memo-1'))).toEqual({ outcome: 'applied', memoId: 7 });
    }
    expect(await writes.find('memo-1')).toEqual({ outcome: 'applied', memoId: 7 });
    expect(await writes.write(startOf('memo-1', { ...memo, content: 'other' }))).toEqual({
      outcome: 'reused',
    });
    expect(begun).toEqual(['write-memo-1']);
  });

  it('a write whose workflow was ended before it recorded its answer is not started again after the retention', async () => {
    const { begun, writes } = world();
    await writes.write(startOf('memo-2'));
    // the answer was not recorded; within the retention Temporal itself recognises a repeat
    await writes.write(startOf('memo-2'));
    expect(begun).toHaveLength(2);
    expect(await writes.find('memo-2')).toEqual({ outcome: 'pending' });
    const old = { createdAt: Date.now() - day };
    await database.db.update(carWrites).set(old).where(eq(carWrites.commandId, 'memo-2'));
    const lost = { outcome: 'unknown', code: 'WORKFLOW_LOST' };
    expect(await writes.write(startOf('memo-2'))).toEqual(lost);
    expect(await writes.find('memo-2')).toEqual(lost);
    expect(begun).toHaveLength(2);
  });

  it('F22: a key acts once also when its answer was deleted as personal data; another body is refused', async () => {
    const { begun, writes } = world();
    await writes.write(startOf('memo-4'));
    await answered('memo-4', { outcome: 'rejected', code: 'E012', message: 'PERSONAL reason' });
    const old = { createdAt: Date.now() - 4 * 365 * day };
    await database.db.update(carWrites).set(old).where(eq(carWrites.commandId, 'memo-4'));
    expect(await deleteTextsBefore(database.db, Date.now() - 3 * 365 * day)).toBe(1);
    expect(await deleteTextsBefore(database.db, Date.now() - 3 * 365 * day)).toBe(0);
    const lost = { outcome: 'unknown', code: 'WORKFLOW_LOST' };
    expect(await writes.write(startOf('memo-4'))).toEqual(lost);
    expect(await writes.find('memo-4')).toEqual(lost);
    expect(await writes.write(startOf('memo-4', { ...memo, content: 'other' }))).toEqual({
      outcome: 'reused',
    });
    expect(begun).toEqual(['write-memo-4']);
  });

  it('L60: a repeated refusal returns the first answer, and no personal data is stored in plain text', async () => {
    const { writes } = world();
    const refused = { outcome: 'rejected', code: 'E012', message: 'PERSONAL reason' } as const;
    await writes.write(startOf('memo-3'));
    await answered('memo-3', refused);
    expect(await writes.write(startOf('memo-3'))).toEqual(refused);
    expect(await writes.find('never')).toBeUndefined();
    for (const { mark, result } of await database.db.select().from(carWrites)) {
      expect(`${mark}${result}`).not.toContain('PERSONAL');
    }
  });
});

import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/contract/attempt.js';
import {
  type CarWrite,
  type CarWriteResult,
  type CarWriteStart,
  carWriteWorkflow,
  carWriteWorkflowId,
} from '../../src/contract/car-write.js';
import { timeSkippingEnv, workflowBundle } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { createWorker } from '../support/whole-worker.js';

const unknown = { kind: 'unknown', code: 'TIMEOUT' } as const;
const lost = { kind: 'lost' } as const;
const refused = { kind: 'refused', code: 'NOT_FOUND', message: 'no such car' } as const;
const memo: CarWrite = { kind: 'memo', carId: 1001, content: 'new tyres' };
const stop: CarWrite = {
  kind: 'sale-status',
  productId: 301,
  carId: 1001,
  saleYn: 'N',
  reason: 'a dent',
};

let env: TestWorkflowEnvironment;
let platform: FakePlatform;
let write: (write: CarWrite) => Promise<CarWriteResult>;
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  env = await timeSkippingEnv();
  const taskQueue = `car-writes-${randomUUID()}`;
  platform = new FakePlatform();
  const worker = await createWorker({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    bundle: workflowBundle(),
    activities: platform.activities(),
  });
  const running = worker.run();
  stopWorker = async () => {
    worker.shutdown();
    await running;
  };
  write = (write) => {
    const start: CarWriteStart = { commandId: randomUUID(), by: 'kim', write };
    return env.client.workflow.execute<(start: CarWriteStart) => Promise<CarWriteResult>>(carWriteWorkflow, {
      workflowId: carWriteWorkflowId(start.commandId),
      taskQueue,
      args: [start],
    });
  };
});
afterAll(async () => {
  await stopWorker?.();
  await env?.teardown();
});
beforeEach(() => {
  const { cars } = platform;
  for (const list of [
    cars.memos,
    cars.attempts,
    cars.writes,
    cars.looks,
    cars.calls,
    platform.audits,
    platform.suspensions,
  ])
    list.length = 0;
  cars.sale.clear();
  cars.sale.set('301/1001', 'Y');
});

describe('F20: a memo is written once', () => {
  it('one that is accepted at once takes one POST', async () => {
    expect(await write(memo)).toEqual({ outcome: 'applied', memoId: 1 });
    expect(platform.cars.calls).toEqual(['findCarMemo', 'addCarMemo']);
    expect(platform.cars.memos).toMatchObject([{ carId: 1001, content: 'new tyres', writerName: 'kim' }]);
  });

  it('one whose answer is lost is found, and not written again', async () => {
    platform.cars.writes.push(lost);
    expect(await write(memo)).toEqual({ outcome: 'applied', memoId: 1 });
    expect(platform.cars.memos).toHaveLength(1);
  });

  it('an equal memo of another day is not mistaken for it', async () => {
    await write(memo);
    platform.cars.writes.push(unknown);
    expect(await write(memo)).toEqual({ outcome: 'applied', memoId: 2 });
    platform.cars.writes.push(lost);
    expect(await write(memo)).toEqual({ outcome: 'applied', memoId: 3 });
    expect(platform.cars.memos).toHaveLength(3);
  });

  it('one that is absent in two reads is written again, three times at most', async () => {
    platform.cars.writes.push(unknown);
    expect(await write(memo)).toEqual({ outcome: 'applied', memoId: 1 });
    expect(platform.cars.calls).toEqual([
      'findCarMemo',
      'addCarMemo',
      'findCarMemo',
      'findCarMemo',
      'addCarMemo',
    ]);
    platform.cars.writes.push(unknown, unknown, unknown);
    expect(await write(memo)).toEqual({ outcome: 'unknown', code: 'TIMEOUT' });
    expect(platform.cars.memos).toHaveLength(1);
  });

  it('one stays unknown where the memos cannot be read, and is not written again', async () => {
    platform.cars.writes.push(lost);
    platform.cars.looks.push(undefined, ...Array.from({ length: 20 }, () => unknown));
    expect(await write(memo)).toEqual({ outcome: 'unknown', code: 'TIMEOUT' });
    expect(platform.cars.memos).toHaveLength(1);
  });

  it('one that is refused after a lost answer is unknown, because the first may still arrive', async () => {
    platform.cars.writes.push(unknown, refused);
    expect(await write(memo)).toEqual({ outcome: 'unknown', code: 'TIMEOUT' });
  });

  it('one that the platform refuses is rejected with the reason', async () => {
    platform.cars.writes.push(refused);
    expect(await write(memo)).toEqual({ outcome: 'rejected', code: 'NOT_FOUND', message: 'no such car' });
  });
});

describe('F21: an unknown sale status is resolved by reading it back', () => {
  const sale = () => platform.cars.sale.get('301/1001');

  it('an accepted one is reported with the earlier status', async () => {
    expect(await write(stop)).toEqual({ outcome: 'applied', saleYn: 'N', before: 'Y' });
    expect(platform.cars.calls).toEqual(['findSaleStatus', 'setSaleStatus']);
    expect(sale()).toBe('N');
  });

  it('one whose answer is lost is applied where it is read back, and set again where it is not', async () => {
    platform.cars.writes.push(lost);
    expect(await write(stop)).toMatchObject({ outcome: 'applied', before: 'Y' });
    expect(platform.cars.calls.filter((call) => call === 'setSaleStatus')).toHaveLength(1);
    platform.cars.sale.set('301/1001', 'Y');
    platform.cars.writes.push(unknown, unknown);
    expect(await write(stop)).toMatchObject({ outcome: 'applied', before: 'Y' });
    expect(sale()).toBe('N');
  });

  it('one that is never resolved stays unknown', async () => {
    platform.cars.writes.push(unknown, unknown, unknown, unknown);
    expect(await write(stop)).toEqual({ outcome: 'unknown', code: 'TIMEOUT' });
    expect(sale()).toBe('Y');
  });

  it('one for an unknown product, or a car that it does not have, is rejected, and nothing is sent', async () => {
    expect(await write({ ...stop, carId: 9 })).toMatchObject({ outcome: 'rejected', code: 'NOT_FOUND' });
    platform.cars.looks.push(refused);
    expect(await write(stop)).toMatchObject({ outcome: 'rejected', code: 'NOT_FOUND' });
    expect(platform.cars.calls).toEqual(['findSaleStatus', 'findSaleStatus']);
  });
});

it.each([
  ['F20: a memo', memo],
  ['F21: a sale status', stop],
])(
  '%s that was held back before it was recorded keeps its id (L24): a run that was reset repeats none that was sent',
  async (_, start) => {
    const unrecorded = { code: 'ROLE_SUSPENDED', keepsId: true } as const;
    platform.cars.writes.push(
      { kind: 'suspended', ...unrecorded },
      { kind: 'wait', code: 'ATTEMPT_EXPIRED', keepsId: true },
      { kind: 'wait', code: 'RATE_LIMITED' },
      { kind: 'wait', code: 'ATTEMPT_NOT_RECORDED', keepsId: true },
    );
    expect(await write(start)).toMatchObject({ outcome: 'applied' });
    expect(platform.cars.attempts).toEqual(['1.1', '1.1', '1.1', '1.2', '1.2']);
  },
);

describe('F22: a write that the platform does not accept waits two minutes', () => {
  const held: Attempt<never> = { kind: 'suspended', code: 'UNAUTHORIZED' };

  it('delayed by a Retry-After, or held back for the key, whose role is notified: sent when it continues', async () => {
    platform.cars.writes.push({ kind: 'wait', code: 'RATE_LIMITED', retryAfterMs: 3_000 }, held);
    expect(await write(stop)).toMatchObject({ outcome: 'applied' });
    expect(platform.suspensions).toEqual([{ role: 'supplier', reservationId: null, code: 'UNAUTHORIZED' }]);
  });

  it('one that waits longer is rejected, because nothing was sent', async () => {
    platform.cars.writes.push(...Array.from({ length: 20 }, () => held));
    expect(await write(stop)).toMatchObject({ outcome: 'rejected', code: 'UNAUTHORIZED' });
    // after 30 s and another minute the next would come too late
    expect(platform.cars.calls.filter((call) => call === 'setSaleStatus')).toHaveLength(3);
    expect(platform.cars.sale.get('301/1001')).toBe('Y');
  });
});

it('F23: the audit has who, when, why, before, after and the outcome, and no text of a memo', async () => {
  await write(stop);
  platform.cars.writes.push(refused);
  await write(memo);
  expect(platform.audits).toMatchObject([
    {
      by: 'kim',
      action: 'product.sale-status',
      subject: 'product/301/car/1001',
      reason: 'a dent',
      data: { outcome: 'applied', code: null, wanted: 'N', before: 'Y', after: 'N' },
    },
    {
      by: 'kim',
      action: 'car.memo',
      subject: 'car/1001',
      reason: null,
      data: { outcome: 'rejected', code: 'NOT_FOUND', memoId: null },
    },
  ]);
  expect(JSON.stringify(platform.audits)).not.toContain('new tyres');
});

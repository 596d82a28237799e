import type { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { DamagedPayloadError, DataKeyNotMade, UnknownKeyError } from '../../src/store/sealing/errors.js';
import { createSendBatch } from '../../src/temporal/client/reservations/send-batch.js';
import { policy } from '../support/reservations.js';

const refusing = (error: Error) => {
  const refuse = () => Promise.reject(error);
  return {
    options: { namespace: 'default' },
    withDeadline: (_: number, call: () => unknown) => call(),
    workflow: { getHandle: () => ({ signal: refuse }), signalWithStart: refuse },
  } as unknown as Client;
};
const errorOf = (error: Error, closed: boolean) =>
  createSendBatch(refusing(error), { policy })(1, [], closed).catch((caught) => caught);

it.each([true, false])(
  'a callback whose data key cannot be read is not refused, and Temporal is not reported as down (closed: %s)',
  async (closed) => {
    const silent = new DataKeyNotMade({ cause: null });
    // not the events' own fault: they become no dead letters
    expect(await errorOf(silent, closed)).toBe(silent);
  },
);

it.each([
  [new UnknownKeyError('next'), true],
  [new UnknownKeyError('next'), false],
  [new DamagedPayloadError('next'), false],
])(
  'a callback whose data key is wrapped by a key that this process lacks waits for it',
  async (lacking, closed) => {
    expect(await errorOf(lacking, closed)).toBe(lacking);
  },
);

import type { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { DataKeyNotMade } from '../../src/store/sealing/errors.js';
import { createSendBatch } from '../../src/temporal/client/reservations/send-batch.js';
import { EngineUnavailableError } from '../../src/temporal/connection/unavailable.js';
import { policy } from '../support/reservations.js';

const refusing = (error: Error) => {
  const refuse = () => Promise.reject(error);
  return {
    options: { namespace: 'default' },
    withDeadline: (_: number, call: () => unknown) => call(),
    workflow: { getHandle: () => ({ signal: refuse }), signalWithStart: refuse },
  } as unknown as Client;
};

it.each([true, false])(
  'a callback whose data key cannot be read waits as if Temporal were away (closed: %s)',
  async (closed) => {
    const send = createSendBatch(refusing(new DataKeyNotMade({ cause: null })), { policy });
    const error = await send(1, [], closed).catch((caught) => caught);
    // not the events' own fault: they become no dead letters
    expect(error).toBeInstanceOf(EngineUnavailableError);
    expect(error.code).toBe('DATA_KEY_SILENT');
  },
);

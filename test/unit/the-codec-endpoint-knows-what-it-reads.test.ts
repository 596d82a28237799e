import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { codecAccess } from '../../src/app/parts/codec-access.js';
import { holdWorkflowId } from '../../src/contract/hold.js';
import { bookingWorkflowId, reservationWorkflowId } from '../../src/contract/names.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { publicTestKey } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';

it('L60: the codec endpoint names the reservation, booking or hold of a payload under its data key', async () => {
  const plain = defaultPayloadConverter.toPayload('Gil-dong Hong');
  const converter = encryptingDataConverter([publicTestKey], { dataKeys: new MemoryDataKeys() });
  const [codec] = converter.payloadCodecs ?? [];
  const access = codecAccess(
    { keys: [], bind: true, writesDataKeys: true, endpointToken: 'token' },
    converter,
    undefined,
  );
  if (codec === undefined || access === undefined) throw new Error('no codec');
  const sealed = async (workflowId: string) => {
    const [payload] = await codec.encode([plain], { type: 'workflow', namespace: 'default', workflowId });
    return access.subjectOf(payload ?? {});
  };
  expect(await sealed(reservationWorkflowId(8421))).toBe('reservation/8421');
  expect(await sealed(bookingWorkflowId('b-1'))).toBe('booking/b-1');
  expect(await sealed(holdWorkflowId('h-1'))).toBe('hold/h-1');
  expect(await sealed('fleet')).toBe('');
  expect(access.subjectOf(plain)).toBeUndefined();
});

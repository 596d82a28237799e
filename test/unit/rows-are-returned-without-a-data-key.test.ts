import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import {
  encryptingDataConverter,
  isEncrypted,
  scopeOf,
  withoutWaitingForKeys,
} from '../../src/temporal/codec.js';
import { publicTestKey } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';

const context = {
  type: 'workflow',
  namespace: 'default',
  workflowId: reservationWorkflowId(8421),
} as const;
const rows = defaultPayloadConverter.toPayload({ verdicts: [], entries: [] });

class AwayDataKeys extends MemoryDataKeys {
  override forWriting(): never {
    throw new Error('the database gave no answer');
  }
}

function codecs(dataKeys: MemoryDataKeys) {
  const converter = encryptingDataConverter([publicTestKey], { dataKeys });
  const [own] = converter.payloadCodecs ?? [];
  const [returning] = withoutWaitingForKeys(converter).payloadCodecs ?? [];
  if (own === undefined || returning === undefined) throw new Error('no codec');
  return { own, returning };
}

it('rows return to their workflow encrypted also while the database gives no data key, and their workflow reads them', async () => {
  const { own, returning } = codecs(new AwayDataKeys());
  await expect(own.encode([rows], context)).rejects.toThrow('the database gave no answer');
  const [sent] = await returning.encode([rows], context);
  if (sent === undefined) throw new Error('nothing was sent');
  expect(isEncrypted(sent)).toBe(true);
  expect(scopeOf(sent)).toBeUndefined();
  const [read] = await own.decode([sent], context);
  expect(Buffer.from(read?.data ?? [])).toEqual(Buffer.from(rows.data ?? []));
});

it('where the data key is at hand, returned rows are under it', async () => {
  const { returning } = codecs(new MemoryDataKeys());
  const [sent] = await returning.encode([rows], context);
  expect(sent && scopeOf(sent)).toBe(context.workflowId);
});

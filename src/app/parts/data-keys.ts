import { createDataKeys, type StoredDataKeys } from '../../store/data-keys.js';
import { createRemains } from '../../store/erasure/remains.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { ringWrap } from '../../store/sealing/key-wrap.js';
import { createSealer } from '../../store/sealing/sealer.js';
import type { Config } from '../config/index.js';

/** The data keys of this process. Their reads are prompt: steps of workflows wait for them. */
export function dataKeysOf(
  { keys, writesDataKeys }: Pick<Config['codec'], 'keys' | 'writesDataKeys'>,
  { prompt }: Pick<HandoverDatabase, 'prompt'>,
): StoredDataKeys {
  const { remainsOf } = createRemains(prompt, createSealer(keys));
  return createDataKeys(prompt, { wrap: ringWrap(keys), remainsOf, areWritten: writesDataKeys });
}

import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { replayConverter } from '../../src/temporal/worker/replay.js';

/** A public key: golden histories are recorded under it. It protects nothing. */
export const publicTestKey = {
  id: 'public-test-key',
  key: Buffer.from('golden histories hide nothing at', 'ascii'),
};

export const testDataConverter = encryptingDataConverter([publicTestKey]);

/** As a worker has it, for histories under another id and namespace than their own. */
export const replayDataConverter = replayConverter(testDataConverter);

import { encryptingDataConverter } from '../../src/engine/codec.js';

/** A public key: golden histories are recorded under it. It protects nothing. */
export const publicTestKey = {
  id: 'public-test-key',
  key: Buffer.from('golden histories hide nothing at', 'ascii'),
};

export const testDataConverter = encryptingDataConverter([publicTestKey]);

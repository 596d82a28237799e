import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';

/** A public key: golden histories are recorded under it. It protects nothing. */
export const publicTestKey = {
  id: 'public-test-key',
  key: Buffer.from('golden histories hide nothing at', 'ascii'),
};

export const testDataConverter = encryptingDataConverter([publicTestKey]);

/** As a worker has it, for histories under another id and namespace than their own: bindings are not compared. */
export const replayDataConverter = refuseUnencrypted({
  ...testDataConverter,
  payloadCodecs: (testDataConverter.payloadCodecs ?? []).map(({ encode, decode }) => ({
    encode: (payloads) => encode(payloads),
    decode: (payloads) => decode(payloads),
  })),
});

import { argumentNotReadType } from '../../contract/attempt.js';

/** Something that cannot be decrypted. Its message holds no content. */
export abstract class CodecError extends Error {
  abstract readonly code: 'CODEC_KEY_UNKNOWN' | 'CODEC_PAYLOAD_DAMAGED';
  /** As the ciphertext names its key; it comes from outside. */
  abstract readonly keyId: string;
}

/** A key was removed too early, or processes do not share their keys. */
export class UnknownKeyError extends CodecError {
  override readonly name = 'UnknownKeyError';
  readonly code = 'CODEC_KEY_UNKNOWN';
  constructor(readonly keyId: string) {
    super(`A key is missing: ${showKeyId(keyId)} is not among CODEC_KEYS. Add it behind the others.`);
  }
}

export class DamagedPayloadError extends CodecError {
  override readonly name: string = 'DamagedPayloadError';
  readonly code = 'CODEC_PAYLOAD_DAMAGED';
  constructor(
    readonly keyId: string,
    why = 'It was changed, or CODEC_KEYS gives that id another key: correct the key, or restore the data.',
  ) {
    super(`Encrypted data cannot be decrypted with key ${showKeyId(keyId)}. ${why}`);
  }
}

/** It was encrypted for another row, workflow or namespace. */
export class MisplacedPayloadError extends DamagedPayloadError {
  override readonly name = 'MisplacedPayloadError';
  constructor(keyId: string) {
    super(keyId, 'It belongs to another row, workflow or namespace: restore it where it belongs.');
  }
}

/** Shortened, because the id comes from outside. */
function showKeyId(keyId: string): string {
  return JSON.stringify(keyId.slice(0, 64));
}

/** A payload names a data key that the database does not have: an older backup of it was restored. */
export class MissingDataKeyError extends CodecError {
  override readonly name = 'MissingDataKeyError';
  readonly code = 'CODEC_KEY_UNKNOWN';
  constructor(readonly keyId: string) {
    super(
      `A data key is missing: the database does not have ${showKeyId(keyId)}. Restore a newer backup of the database.`,
    );
  }
}

/** The database gave no answer about a data key. */
export abstract class KeyStoreError extends Error {
  constructor({ cause }: { cause: unknown }) {
    super(cause instanceof CodecError ? cause.message : 'The database gave no answer about a data key', {
      cause,
    });
  }
}

/**
 * The name of the class becomes the type of an activity's failure (`argumentNotReadType`): where the argument of an activity could
 * not be read, because the database gave no answer or this worker lacks a key, the activity did nothing.
 */
export class DataKeyNotRead extends KeyStoreError {
  override readonly name = argumentNotReadType;
}

export class DataKeyNotMade extends KeyStoreError {
  override readonly name = 'DataKeyNotMade';
}

/** Something that cannot be decrypted. Its message holds no content. */
export abstract class CodecError extends Error {
  abstract readonly code: 'CODEC_KEY_UNKNOWN' | 'CODEC_PAYLOAD_DAMAGED';
}

/** A key was removed too early, or processes do not share their keys. */
export class UnknownKeyError extends CodecError {
  override readonly name = 'UnknownKeyError';
  readonly code = 'CODEC_KEY_UNKNOWN';
  constructor(readonly keyId: string) {
    super(
      `something is encrypted under key ${showKeyId(keyId)}, which is not among CODEC_KEYS; add that key behind the others`,
    );
  }
}

export class DamagedPayloadError extends CodecError {
  override readonly name: string = 'DamagedPayloadError';
  readonly code = 'CODEC_PAYLOAD_DAMAGED';
  constructor(keyId: string, why = 'it was changed, or CODEC_KEYS gives that id another key') {
    super(`something encrypted under key ${showKeyId(keyId)} cannot be decrypted: ${why}`);
  }
}

/** It was encrypted for another row, workflow or namespace. */
export class MisplacedPayloadError extends DamagedPayloadError {
  override readonly name = 'MisplacedPayloadError';
  constructor(keyId: string) {
    super(keyId, 'it belongs to another row, workflow or namespace');
  }
}

/** Shortened, because the id comes from outside. */
function showKeyId(keyId: string): string {
  return JSON.stringify(keyId.slice(0, 64));
}

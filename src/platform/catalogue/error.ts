import type { CallErrorCode } from '../errors.js';

/** Why the platform was not read: its refusal, no answer, or a key that it is known to refuse. */
export type CatalogueCode = CallErrorCode | 'ROLE_SUSPENDED';

/** Said of the request: asking again in a moment would end alike. */
const final: readonly CatalogueCode[] = ['ROLE_OFF', 'NOT_FOUND', 'INVALID_REQUEST', 'INVALID_INPUT'];

/** The one error of the catalogue's reads; its message is ours. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  constructor(
    readonly code: CatalogueCode,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** It says nothing about what was asked for: what was known before may still be right. */
  get mayPass(): boolean {
    return !final.includes(this.code);
  }
}

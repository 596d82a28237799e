import type { CallErrorCode } from '../errors.js';

/** Why a read failed: the platform refused it, sent no answer, or is known to refuse the key. */
export type CatalogueCode = CallErrorCode | 'ROLE_SUSPENDED';

/** Caused by the request itself, so a retry would fail as well. */
const final: readonly CatalogueCode[] = ['ROLE_OFF', 'NOT_FOUND', 'INVALID_REQUEST', 'INVALID_INPUT'];

/** The only error of the catalogue's reads. Handover writes its message, so it contains no personal data. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  constructor(
    readonly code: CatalogueCode,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** True where the error does not concern the object itself: a value stored before may still be right. */
  get mayPass(): boolean {
    return !final.includes(this.code);
  }
}

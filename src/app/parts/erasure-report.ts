import type { Logger } from 'pino';
import { databaseErrorCode } from '../../store/connection/errors.js';
import type { NotErased } from '../../store/erasure/targets.js';
import { PhotoStoreError } from '../../store/photos/answers.js';
import type { LeftPhotos } from '../../temporal/client/erasure/types.js';
import { engineCode } from '../../temporal/connection/unavailable.js';
import type { ErasedInTime } from './erase-due.js';
import type { FailedErasure } from './erase-one-by-one.js';

const mostNamed = 20;

/** Why photos stay, and what to do. */
const whyPhotosStay: Readonly<Record<LeftPhotos['code'], string>> = {
  PHOTO_MAY_BE_SHARED: 'photos stay: a reservation that may have them too does not answer',
  RESERVATION_OPEN: 'photos stay: their reservation runs again',
  CASE_FILE_UNREADABLE:
    'photos may stay: no key of CODEC_KEYS opens the case file that names them; put the key back',
};

/**
 * Logs what the retention did: ids and codes, nothing personal. A warning that stays the same is repeated after `everyMs`, because a
 * round that failed is repeated soon.
 */
export class ErasureReport {
  private readonly warned = new Map<string, { details: string; at: number }>();

  constructor(
    private readonly log: Pick<Logger, 'info' | 'warn'>,
    private readonly everyMs: number,
  ) {}

  write({ refused, failed, unreadable, lockedKeys, photosLeft, isGivenUp: _, ...done }: ErasedInTime): void {
    if (done.reservations + done.photos + done.texts > 0) this.log.info(done, 'personal data was erased');
    this.warn(unreadable, { unreadable }, 'personal data was erased whose key is missing from CODEC_KEYS');
    this.warn(lockedKeys, { lockedKeys }, 'data keys are under a key that CODEC_KEYS lacks: put it back');
    for (const [code, text] of Object.entries(whyPhotosStay)) {
      const left = photosLeft.filter((one) => one.code === code);
      const reservations = left.slice(0, mostNamed).map(({ reservationId }) => reservationId);
      this.warn(left.length, { photosLeft: left.length, reservations }, text);
    }
    this.warn(
      refused.length,
      { refused: refused.length, open: refused.slice(0, mostNamed).map(namedOf) },
      'personal data is due for erasure, but its reservation, booking or hold is open',
    );
    this.warn(
      failed.length,
      { failures: failed.length, failed: failed.slice(0, mostNamed).map(codeOf) },
      'personal data is due for erasure, and its erasure failed; it is tried again',
    );
  }

  private warn(count: number, details: object, text: string): void {
    if (count === 0) {
      this.warned.delete(text);
      return;
    }
    const last = this.warned.get(text);
    const written = JSON.stringify(details);
    if (last?.details === written && Date.now() - last.at < this.everyMs) return;
    this.warned.set(text, { details: written, at: Date.now() });
    this.log.warn(details, text);
  }
}

/** What operations need to close it. */
const namedOf = ({ detail: _, ...named }: NotErased) => named;

/** Never the message of an error: it may hold what was to be erased. */
function codeOf({ error, ...named }: FailedErasure) {
  const isPhotos = error instanceof PhotoStoreError;
  const code = isPhotos
    ? `PHOTO_STORE ${databaseErrorCode(error)}`
    : (engineCode(error) ?? databaseErrorCode(error));
  return { ...named, code };
}

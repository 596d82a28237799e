import type { Logger } from 'pino';
import type { CodecError } from '../store/sealing/errors.js';

const minute = 60_000;

/**
 * Logs frequent events: the first of a kind at once, then one log line a minute with the number of events that were left
 * out. A flood of them does not fill the disk.
 */
export class SampledLog {
  private readonly kinds = new Map<string, { since: number; silent: number }>();
  constructor(
    private readonly log: Pick<Logger, 'warn' | 'error'>,
    private readonly clock: () => number = Date.now,
  ) {}

  /** @param code of a closed list @param about nothing of the request's content */
  logRefused(code: string, about: Record<string, string | number | undefined>): void {
    this.logSampled(code, { code, ...about }, 'a callback was refused');
  }

  /** @param code of the database */
  logNotStored(code: string): void {
    this.logSampled(`not stored ${code}`, { code }, 'a callback could not be stored', 'error');
  }

  /** @param code of the database */
  logRowsNotStored(code: string): void {
    this.logSampled(
      `rows not stored ${code}`,
      { code },
      'rows of a reservation could not be stored: they return to its workflow',
    );
  }

  /** @param keyId the key that this process lacks */
  logMissingKey({ code, keyId }: Pick<CodecError, 'code' | 'keyId'>, reservationId: number): void {
    this.logSampled(
      keyId,
      { code, keyId: keyId.slice(0, 64), reservationId },
      'callbacks need a key that is not among CODEC_KEYS: they wait',
    );
  }

  /** @param code of the database */
  logNoDataKey(code: string, reservationId: number): void {
    this.logSampled(
      `no data key ${code}`,
      { code, reservationId },
      'the database gives no answer about a data key: callbacks wait',
    );
  }

  private logSampled(
    kindOf: string,
    about: Record<string, string | number | undefined>,
    message: string,
    level: 'warn' | 'error' = 'warn',
  ): void {
    const now = this.clock();
    const kind = this.kinds.get(kindOf);
    if (kind !== undefined && now - kind.since < minute) {
      kind.silent++;
      return;
    }
    this.kinds.set(kindOf, { since: now, silent: 0 });
    const others = kind === undefined || kind.silent === 0 ? {} : { othersSince: kind.silent };
    this.log[level]({ ...about, ...others }, message);
  }
}

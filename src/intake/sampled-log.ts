import type { Logger } from '../log.js';

const minute = 60_000;

/**
 * Refused callbacks in the log: the first of a kind at once, then one line a minute with how many it stands for. A storm
 * of them fills no disk.
 */
export class SampledLog {
  private readonly kinds = new Map<string, { since: number; silent: number }>();
  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly clock: () => number = Date.now,
  ) {}

  /** @param code of a closed list @param about nothing of the request's content */
  refused(code: string, about: Record<string, string | number | undefined>): void {
    const now = this.clock();
    const kind = this.kinds.get(code);
    if (kind !== undefined && now - kind.since < minute) {
      kind.silent++;
      return;
    }
    this.kinds.set(code, { since: now, silent: 0 });
    const others = kind === undefined || kind.silent === 0 ? {} : { othersSince: kind.silent };
    this.log.warn({ code, ...about, ...others }, 'a callback was refused');
  }
}

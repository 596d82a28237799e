import type { GapId } from '../../platform/unread.js';

export type { GapId } from '../../platform/unread.js';

/** `skip`: it could not be checked, or does not apply; `says` states why. */
export type Result = 'ok' | 'warn' | 'fail' | 'skip';

export type Area =
  | 'configuration'
  | 'platform'
  | 'wire profile'
  | 'callbacks'
  | 'console'
  | 'database'
  | 'temporal'
  | 'photos'
  | 'posts';

/** What the specification has a client fix before going live (Authentication). */
export const goLive = {
  firewall: 'firewall rules',
  authentication: 'authentication header',
  callbacks: 'callback receiving URL',
} as const;
export type GoLive = keyof typeof goLive;

/** One thing that was looked at. Holds no secret and nothing personal. */
export interface Finding {
  area: Area;
  check: string;
  result: Result;
  /** What was seen. */
  says: string;
  /** What to do; absent where there is nothing. */
  todo?: string;
  /** Gaps of the wire profile that were seen: kept where `result` is `ok`, contradicted where it is not. */
  gaps?: readonly GapId[];
  goLive?: GoLive;
}

type Rest = Pick<Finding, 'todo' | 'gaps' | 'goLive'>;
type Say = (says: string, rest?: Rest) => Finding;

/** The four results of one check, each as a function of what it says. */
export function checking(area: Area, check: string, shared: Rest = {}): Record<Result, Say> {
  const saying =
    (result: Result): Say =>
    (says, rest = {}) => ({ area, check, result, says, ...shared, ...rest });
  return { ok: saying('ok'), warn: saying('warn'), fail: saying('fail'), skip: saying('skip') };
}

const gravity: Record<Result, number> = { ok: 0, skip: 1, warn: 2, fail: 3 };

/** The gravest; `skip` where nothing was looked at. */
export function worstOf(findings: readonly Pick<Finding, 'result'>[]): Result {
  return findings
    .map(({ result }) => result)
    .reduce<Result>(
      (worst, one) => (gravity[one] > gravity[worst] ? one : worst),
      findings.length ? 'ok' : 'skip',
    );
}

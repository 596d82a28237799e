import type { GapId } from '../../platform/unread.js';

export type { GapId } from '../../platform/unread.js';

/** `skip`: it could not be checked, or does not apply; `says` has the reason. */
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

/** The result of one check. Contains no secret and no personal data. */
export interface Finding {
  area: Area;
  check: string;
  result: Result;
  /** What was seen. */
  says: string;
  /** What to do; absent where there is nothing. */
  todo?: string;
  /** Gaps of the wire profile that the check covers: confirmed where `result` is `ok`, contradicted where it is not. */
  gaps?: readonly GapId[];
  goLive?: GoLive;
}

type Rest = Pick<Finding, 'todo' | 'gaps' | 'goLive'>;
type Report = (says: string, rest?: Rest) => Finding;

/** Reports the result of one check: a function for each of the four results. */
export function createCheck(area: Area, check: string, shared: Rest = {}): Record<Result, Report> {
  const reportAs =
    (result: Result): Report =>
    (says, rest = {}) => ({ area, check, result, says, ...shared, ...rest });
  return { ok: reportAs('ok'), warn: reportAs('warn'), fail: reportAs('fail'), skip: reportAs('skip') };
}

const gravity: Record<Result, number> = { ok: 0, skip: 1, warn: 2, fail: 3 };

/** The gravest result; `skip` where nothing was checked. */
export function worstOf(findings: readonly Pick<Finding, 'result'>[]): Result {
  return findings
    .map(({ result }) => result)
    .reduce<Result>(
      (worst, one) => (gravity[one] > gravity[worst] ? one : worst),
      findings.length ? 'ok' : 'skip',
    );
}

import { parseJson } from '../../../platform/client/read-wire.js';
import { refused } from '../../../platform/client/refusal.js';
import type { CallErrorCode, PlatformCode } from '../../../platform/errors.js';
import type { WireProfile } from '../../../platform/profile.js';
import type { Result } from '../finding.js';
import type { Answer } from './ask.js';

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300;

/** The code that Handover reads from an answer that is no 2xx, by the same function as in production. */
export function codeOf(profile: WireProfile, answer: Answer): CallErrorCode {
  return refused('doctor', profile, { kind: 'answered', ...answer }, Date.now()).code;
}

/** How a refusal fits the profile (G25), where it is known which one it has to be. */
export function judgeRefusal(
  profile: WireProfile,
  answer: Answer,
  expected: PlatformCode,
): { result: Exclude<Result, 'skip'>; text: string } {
  const wanted = profile.errors.encode({ code: expected, message: '' }).status;
  const { status } = answer;
  const code = decodeCode(profile, answer);
  const came = `HTTP ${status}${code === undefined ? ', whose body carries no code that the profile knows' : ` ${code}`}`;
  const instead = `, where the profile has HTTP ${wanted} ${expected}`;
  if (code === expected)
    return status === wanted ? { result: 'ok', text: came } : { result: 'warn', text: came + instead };
  // the status alone still identifies it
  const isUnderstood = codeOf(profile, answer) === expected;
  return { result: isUnderstood ? 'warn' : 'fail', text: came + instead };
}

function decodeCode(profile: WireProfile, { status, body }: Answer): string | undefined {
  try {
    return profile.errors.decode(status, parseJson(body))?.code;
  } catch {
    return undefined;
  }
}

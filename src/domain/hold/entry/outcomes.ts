import type { Sentence } from '../../shared/message.js';
import type { Unknown } from '../../shared/outcome.js';
import type { Instant, Period } from '../../shared/time.js';
import { message } from '../messages/message.js';
import { afterLost } from '../messages/no-answer.js';
import { firstReadMs, withTrouble } from '../record.js';
import type { Entry, HoldState } from '../types.js';

export function planReads(code: string, now: Instant) {
  return { code, looks: 0, lookAt: now + firstReadMs };
}

/** A single lost answer is resolved without staff; repeated ones are shown to them (F12). */
export function recordLostAnswer(state: HoldState, entry: Entry, lost: Unknown, now: Instant): HoldState {
  const trouble = { code: lost.code, message: afterLost(lost), againInMs: firstReadMs };
  return withTrouble({ ...state, entry }, 'entry', trouble, now);
}

export function toReadFailure({ code, ...rest }: { code: string; message?: string }): {
  code: string;
  message: Sentence;
} {
  return { code, message: rest.message ?? message('hold.schedule-unread', {}) };
}

export function platformTextOf({ platformMessage }: { platformMessage?: string }) {
  return platformMessage === undefined ? {} : { platformMessage };
}

/** A period in the audit. */
export function formatPeriod({ start, end }: Period): string {
  return `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
}

export function isSamePeriod(one: Period, other: Period): boolean {
  return one.start === other.start && one.end === other.end;
}

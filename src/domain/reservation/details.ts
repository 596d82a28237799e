import { type Instant, stamp } from '../shared/time.js';
import { messageOf, openAttention, sinceOf } from './attention.js';
import { belief } from './belief.js';
import { sourceOf, statusSource } from './evidence.js';
import { expectedNext } from './expected.js';
import { actionTitle } from './messages/en/names.js';
import { englishText } from './messages/entry-text.js';
import type { ReservationState } from './state.js';
import { statusName } from './statuses.js';
import type { Grade, Source } from './types.js';

const mostShownCommands = 5;

/** The reservation in a few lines of markdown, for Temporal UI's current details; no personal data (L60). */
export function details(state: ReservationState, now: Instant, what = belief(state)): string {
  const time = (instant: Instant) => stamp(instant, state.policy.zoneOffsetMinutes);
  const { status, facts, marks } = what;
  const { period, car } = facts;
  const next = expectedNext(state, what, now);
  const name = status.code === null ? '? unknown' : `${status.code} ${statusName(status.code)}`;
  const grade = status.grade === null ? '' : `, ${believed(status.grade, statusSource(state, status.code))}`;
  const since = status.since === null ? '' : ` since ${time(status.since)}`;
  const by = next?.by ? ` by ${time(next.by)}` : '';
  return [
    `**${name}**${grade}${since}`,
    ...(next === null ? [] : [`Expected next: ${next.code} ${statusName(next.code)}${by}`]),
    ...listed([
      ...(period === null
        ? []
        : [
            `Period ${time(period.value.start)} to ${time(period.value.end)}, ${believed(period.grade, sourceOf(period))}`,
          ]),
      ...(car === null
        ? []
        : [`Car ${car.value.id} ${car.value.number ?? ''}, ${believed(car.grade, sourceOf(car))}`]),
    ]),
    ...listed(
      openAttention(state).map(
        (item) =>
          `**${item.kind}** since ${time(sinceOf(item))}: ${englishText([messageOf(state, what, item)], state.policy.zoneOffsetMinutes)}`,
      ),
    ),
    ...listed(
      state.commands
        .slice(-mostShownCommands)
        .map((one) => `${actionTitle(one.action)}: ${one.state}${one.code === null ? '' : ` (${one.code})`}`),
    ),
    ...(marks.length === 0 ? [] : [`Marks: ${marks.join(', ')}`]),
  ].join('\n\n');
}

/** The grade and the source. */
function believed(grade: Grade, source: Source | null): string {
  return source === null ? grade : `${grade} (${source.kind} ${source.id})`;
}

/** One list of markdown, or nothing. */
function listed(items: string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')];
}

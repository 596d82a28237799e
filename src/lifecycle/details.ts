import { actionTitle } from './messages.js';
import type { ReservationState } from './state.js';
import { statusName } from './statuses.js';
import type { Grade, Instant, Source } from './types.js';
import { view } from './view.js';

const commandsTold = 5;

/** The reservation in a few lines of markdown, for Temporal UI's current details; no personal data (L60). */
export function details(state: ReservationState, now: Instant): string {
  const shown = view(state, now);
  const { status, expected, period, car } = shown;
  const grade = status.grade === null ? '' : `, ${believed(status.grade, status.source)}`;
  const since = status.since === null ? '' : ` since ${status.since}`;
  const by = expected?.by ? ` by ${expected.by}` : '';
  return [
    `**${status.code ?? '?'} ${status.name}**${grade}${since}`,
    ...(expected === null ? [] : [`Expected next: ${expected.code} ${statusName(expected.code)}${by}`]),
    ...listed([
      ...(period === null
        ? []
        : [`Period ${period.start} to ${period.end}, ${believed(period.grade, period.source)}`]),
      ...(car === null ? [] : [`Car ${car.id} ${car.number ?? ''}, ${believed(car.grade, car.source)}`]),
    ]),
    ...listed(shown.attention.map(({ kind, since, message }) => `**${kind}** since ${since}: ${message}`)),
    ...listed(
      shown.commands
        .slice(-commandsTold)
        .map(
          ({ action, outcome, code }) =>
            `${actionTitle(action)}: ${outcome}${code === null ? '' : ` (${code})`}`,
        ),
    ),
    ...(shown.marks.length === 0 ? [] : [`Marks: ${shown.marks.join(', ')}`]),
  ].join('\n\n');
}

/** The grade, and on whose word. */
function believed(grade: Grade, source: Source | null): string {
  return source === null ? grade : `${grade} (${source.kind} ${source.id})`;
}

/** One list of markdown, or nothing. */
function listed(items: string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')];
}

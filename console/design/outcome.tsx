import { leadOf } from '../api/problem.js';
import type { Problem } from '../api/types.js';
import type { Write } from '../state/write.js';
import { language, t, textOf } from '../texts/index.js';
import { Button } from './button.js';
import { Notice } from './notice.js';
import { Period, readable, toLocal } from './time.js';

/** What is known of a write, in place: sending, applied, rejected with the reason, open with what is awaited, or no answer. */
export function OutcomeNotice({ write }: { write: Write }) {
  const outcome = write.outcome.value;
  switch (outcome.is) {
    case 'idle':
      return null;
    case 'sending':
      return (
        <Notice icon="commanded" tone="accent">
          {t('outcome:sending')}
        </Notice>
      );
    case 'applied':
      return (
        <Notice icon="done" tone="good" isUrgent>
          {t('outcome:applied')}
        </Notice>
      );
    case 'rejected':
      return (
        <Notice icon="cancelled" tone="bad" isUrgent>
          <strong>{t('outcome:rejected')}</strong> <Refusal problem={outcome.problem} />
        </Notice>
      );
    case 'open': {
      const { outcome: standing, code } = outcome.command ?? { outcome: 'out', code: null };
      return (
        <Notice icon={standing === 'unknown' ? 'unknown' : 'wait'} tone="warn" isUrgent>
          <strong>{textOf('command', standing)}</strong> {textOf('awaited', standing)}
          {code !== null && <div class="small mono">{code}</div>}
        </Notice>
      );
    }
    case 'lost':
      return (
        <Notice icon="unknown" tone="warn" isUrgent>
          {outcome.problem === undefined ? (
            <strong>{t('outcome:lost')}</strong>
          ) : (
            <Refusal problem={outcome.problem} />
          )}{' '}
          {outcome.mayHaveRun && t('outcome.lostHint')}
        </Notice>
      );
  }
}

/** Why a request was refused, in the user's language as far as the API has it; its fields by the labels of the form. */
export function Refusal({ problem }: { problem: Problem }) {
  const { detail, fields = [], platformMessage, code, free } = problem;
  return (
    <>
      {leadOf(problem, language.value)}
      {/* the detail only repeats the fields */}
      {fields.length === 0 && readable(detail)}
      {fields.map(({ field, message }) => (
        <div key={field}>
          {textOf('field', field)}: {message}
        </div>
      ))}
      {platformMessage !== undefined && <div>“{platformMessage}”</div>}
      {free !== undefined && <FreePeriods free={free} />}
      <div class="small mono">{code}</div>
    </>
  );
}

const minuteMs = 60_000;

/** The nearest periods that are free instead: a click writes one into the form (F08). */
function FreePeriods({ free: { before, after } }: { free: NonNullable<Problem['free']> }) {
  // a form has minutes: the earlier period ends no later, the later one begins no earlier
  const periods = [
    before && { start: Date.parse(before.start), end: Date.parse(before.end) },
    after && { start: roundUp(after.start), end: roundUp(after.end) },
  ].filter((period) => period !== null);
  return (
    <div class="row wrap free-periods">
      <span>{t(periods.length === 0 ? 'free.none' : 'free.title')}</span>
      {periods.map((period) => (
        <Button
          key={period.start}
          onClick={(event) => enterPeriod((event.currentTarget as HTMLElement).closest('form'), period)}
        >
          <Period {...period} />
        </Button>
      ))}
    </div>
  );
}

const roundUp = (moment: string) => Math.ceil(Date.parse(moment) / minuteMs) * minuteMs;

function enterPeriod(form: HTMLFormElement | null, { start, end }: { start: number; end: number }): void {
  for (const [name, at] of [
    ['startAt', start],
    ['endAt', end],
  ] as const) {
    const input = form?.elements.namedItem(name);
    if (input instanceof HTMLInputElement) input.value = toLocal(at);
  }
}

import { AppliedMark } from '../../actions/applied-mark.js';
import { NextStep } from '../../actions/next-step.js';
import { StepOutcome } from '../../actions/step-outcome.js';
import type { Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon } from '../../design/icon.js';
import { CarLink, Mark, StatusMark } from '../../design/mark.js';
import { formatDuration, Moment, Period } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { me } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { EvidenceMark } from './evidence.js';

/** Which reservation it is, its status and why it is believed, the next deadline and the next step. */
export function Head({ reservation }: { reservation: Reservation }) {
  const { reservationId, status, car, period, closed, sequence, actions } = reservation;
  const plate = car?.number ?? null;
  return (
    <header class="head panel">
      <div class="row wrap">
        <h1 class="row">
          <CarLink number={plate} carId={car?.id ?? null} />
          <span class="numeric">#{reservationId}</span>
        </h1>
        <span class="large">
          <StatusMark code={status.code} grade={status.grade} />
        </span>
        {closed && <Mark icon="lock">{t('reservation.closed')}</Mark>}
        <span class="grow" />
        <span class="row no-print">
          <TemporalLink reservationId={reservationId} />
          <Button kind="quiet" icon="print" onClick={() => print()} shortcut="p">
            {t('shortcuts.print')}
          </Button>
        </span>
      </div>
      <div class="row wrap soft small">
        <EvidenceMark of={{ ...status, at: status.since }} />
        {status.since !== null && (
          <span>
            {t('reservation.since', { duration: formatDuration(now.value - Date.parse(status.since)) })}
          </span>
        )}
      </div>
      {period !== null && (
        <p class="row wrap period">
          <Icon name="now" />
          <Period {...period} />
          <span class="soft">{formatDuration(Date.parse(period.end) - Date.parse(period.start))}</span>
          {period.changes > 0 && (
            <Mark icon="refresh">{t('reservation.changed', { n: period.changes })}</Mark>
          )}
        </p>
      )}
      <div class="row wrap">
        <Deadline reservation={reservation} />
        <span class="grow" />
        <AppliedMark id={reservationId} />
        <NextStep
          reservationId={reservationId}
          plate={plate}
          next={actions.find(({ state }) => state === 'next')?.action ?? null}
          sequence={sequence}
          isLarge
        />
      </div>
      <StepOutcome id={reservationId} />
    </header>
  );
}

/** What should come next, and how long there is: a prediction, never a fact. */
function Deadline({ reservation: { expected } }: { reservation: Reservation }) {
  if (expected === null) return null;
  const status = textOf('status', expected.code);
  if (expected.by === null) return <p class="deadline soft">{t('reservation.expected', { status })}</p>;
  const left = Date.parse(expected.by) - now.value;
  return (
    <p class={`deadline${left < 0 ? ' late' : ''}`}>
      <Icon name={left < 0 ? 'late' : 'wait'} />
      <span>
        <span class="soft">{t('reservation.expected', { status })}</span>{' '}
        <strong class="numeric">
          {t(left < 0 ? 'now.late' : 'time.in', { duration: formatDuration(left) })}
        </strong>{' '}
        <Moment at={expected.by} relative={false} />
      </span>
    </p>
  );
}

function TemporalLink({ reservationId }: { reservationId: number }) {
  const user = me();
  if (user === null || user.temporalUi === null) return null;
  const workflow = encodeURIComponent(`reservation-${reservationId}`);
  const href = `${user.temporalUi}/namespaces/${user.temporalNamespace}/workflows/${workflow}`;
  return (
    <a class="button quiet" href={href} target="_blank" rel="noreferrer" aria-keyshortcuts="t">
      <Icon name="link" /> {t('menu.temporal')}
    </a>
  );
}

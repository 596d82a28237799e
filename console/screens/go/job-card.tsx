import type { ComponentChildren } from 'preact';
import { DueTime } from '../../design/due-time.js';
import { Icon } from '../../design/icon.js';
import { Stale } from '../../design/load.js';
import { Mark, Plate, StatusMark } from '../../design/mark.js';
import type { Entry } from '../../offline/entry.js';
import { may } from '../../state/session.js';
import { t } from '../../texts/index.js';
import { type Job, mapLink, stepsOf } from './job.js';
import { StepItem } from './step-item.js';

interface JobCardProps {
  job: Job;
  entries: readonly Entry[];
  /** It is not in the list any more. */
  hasLeft: boolean;
  isOpen: boolean;
  toggle(): void;
}

/** One reservation: its plate, time and place, and its steps where it is open. */
export function JobCard({ job, entries, hasLeft, isOpen, toggle }: JobCardProps) {
  const { reservationId, plate, carId, status, grade, phase, place, memos, staff } = job;
  const steps = stepsOf(job, entries);
  const waiting = entries.filter((entry) => entry.reservationId === reservationId).length;
  return (
    <section class={`job panel${isOpen ? ' open' : ''}`} aria-label={`${plate ?? ''} #${reservationId}`}>
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={phase === 'dispatch' ? 'out' : 'back'} />
          <Plate number={plate} carId={carId} />
          <DueTime at={job.dueAt} status={status} />
          <Icon name={isOpen ? 'down' : 'next'} />
        </button>
      </h2>
      <div class="row wrap about">
        <StatusMark code={status} grade={grade} />
        {staff !== null && (
          <Mark icon="staff" tone="plain">
            {staff}
          </Mark>
        )}
        {waiting > 0 && (
          <Mark icon="wait" tone="warn">
            {t('go.waiting', { n: waiting })}
          </Mark>
        )}
        {hasLeft && (
          <Mark icon="next" tone="plain">
            {t('now.gone')}
          </Mark>
        )}
        <span class="grow" />
        <a class="button quiet" href={`/r/${reservationId}`}>
          #{reservationId}
        </a>
      </div>
      {job.staleSince !== null && <Stale since={job.staleSince} />}
      <Place place={place} />
      {isOpen && (
        <>
          {memos.map((memo) => (
            <p key={memo} class="memo">
              {memo}
            </p>
          ))}
          <ol class="steps">
            {steps.map((step) => (
              <StepItem
                key={step.action}
                step={step}
                job={job}
                isLater={step.is === 'needs-override' && steps.some(({ isRecommended }) => isRecommended)}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Place({ place }: { place: string | null }) {
  if (place === null) return <Line icon="field">{may('staff') ? t('go.noPlace') : t('hidden.viewer')}</Line>;
  return (
    <Line icon="field">
      <span class="grow">{place}</span>
      <a
        class="button"
        href={mapLink(place, navigator.userAgent)}
        target="_blank"
        rel="noreferrer"
        aria-label={t('go.mapOf', { place })}
      >
        <Icon name="link" /> {t('go.map')}
      </a>
    </Line>
  );
}

function Line({ icon, children }: { icon: 'field'; children: ComponentChildren }) {
  return (
    <p class="place">
      <Icon name={icon} />
      {children}
    </p>
  );
}

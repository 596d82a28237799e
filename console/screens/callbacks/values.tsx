import type { CallbackDetail } from '../../api/types.js';
import { Plate, StatusMark } from '../../design/mark.js';
import { formatMoment, Period } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';

type Event = NonNullable<CallbackDetail['event']>;

const personal = ['driver', 'companion', 'pickupAddress', 'pickupMemo'];
const moments = ['changedAt', 'createdAt'];

/** What a callback reports, as today's profile reads it. */
export function Values({ event }: { event: Event }) {
  const { malformed: _, ...values } = event;
  const entries = Object.entries(values);
  if (entries.length === 0) return <p class="soft">{t('callback.noValues')}</p>;
  return (
    <dl class="pairs">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{textOf('value', name)}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === null)
    return (
      <span class="soft">
        {t(personal.includes(name) && !may('staff') ? 'hidden.viewer' : 'value:absent')}
      </span>
    );
  if (name === 'status')
    return (
      <span class="row">
        <StatusMark code={value as number} /> <span class="numeric soft">{String(value)}</span>
      </span>
    );
  if (name === 'car') {
    const { id, number } = value as NonNullable<Event['car']>;
    return (
      <span class="row">
        <Plate number={number} carId={id} /> <span class="numeric soft small">{id}</span>
      </span>
    );
  }
  if (moments.includes(name)) return <span class="numeric">{formatMoment(value as string)}</span>;
  if (name === 'period' || name === 'driving') {
    return <Period {...(value as { start?: string; end?: string })} />;
  }
  return <>{plain(value)}</>;
}

function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value)
    .filter((one) => one !== null && one !== undefined)
    .map(String)
    .join(', ');
}

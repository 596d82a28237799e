import { now } from '../state/clock.js';
import { t } from '../texts/index.js';
import { Icon } from './icon.js';
import { isLate } from './lateness.js';
import { formatDuration, formatMoment } from './time.js';

/** When something is due of a reservation, and how far away that is. */
export function DueTime({ at, status }: { at: string | null; status: number | null }) {
  if (at === null) return <span class="due soft small">{t('time.unknown')}</span>;
  const left = Date.parse(at) - now.value;
  const late = isLate(left, status);
  return (
    <span class={`due numeric${late ? ' late' : ''}`}>
      {late && <Icon name="late" />}
      <strong>
        {t(late ? 'now.late' : left < 0 ? 'time.ago' : 'time.in', { duration: formatDuration(left) })}
      </strong>
      <time class="soft" dateTime={at}>
        {formatMoment(at)}
      </time>
    </span>
  );
}

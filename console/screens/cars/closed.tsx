import { Load } from '../../design/load.js';
import { StatusMark } from '../../design/mark.js';
import { Period } from '../../design/time.js';
import { t } from '../../texts/index.js';
import { useClosed } from './reads.js';

/** The reservations of a car that closed last: the bars have open ones alone. */
export function Closed({ carId }: { carId: number }) {
  return (
    <Load of={useClosed(carId)}>
      {({ items, nextCursor }) =>
        items.length === 0 ? (
          <p class="soft">{t('none')}</p>
        ) : (
          <ul class="stack tight">
            {items.map(({ reservationId, status, period }) => (
              <li key={reservationId} class="row wrap">
                <a href={`/r/${reservationId}`}>#{reservationId}</a>
                <StatusMark code={status.code} />
                {period !== null && <Period {...period} />}
              </li>
            ))}
            {nextCursor !== null && <li class="soft small">{t('car.moreClosed')}</li>}
          </ul>
        )
      }
    </Load>
  );
}

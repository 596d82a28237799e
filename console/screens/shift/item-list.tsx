import { Empty, Load } from '../../design/load.js';
import { Mark, Plate } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { formatMoment, readable } from '../../design/time.js';
import { t, textOf } from '../../texts/index.js';
import type { ShiftItem } from './items.js';
import { PartNotice } from './part-notice.js';
import { useAlerts } from './reads.js';

/** Attention items of the shift: open ones first. */
export function Items({ items, isMore }: { items: readonly ShiftItem[]; isMore: boolean }) {
  return (
    <Panel title={t('shift.items')} icon="attention" count={items.length} isFlush>
      {items.length === 0 ? (
        <Empty>{t('shift.items.none')}</Empty>
      ) : (
        <ul>
          {items.map((item) => (
            <Item key={`${item.reservationId} ${item.kind}`} item={item} />
          ))}
        </ul>
      )}
      {isMore && <p class="line soft">{t('shift.moreOpen')}</p>}
    </Panel>
  );
}

function Item({ item }: { item: ShiftItem }) {
  const { reservationId, carId, carNumber, kind, raisedAt, is, endedAt, by, owner } = item;
  const isGood = is === 'resolved' || is === 'cleared';
  return (
    <li class="line row wrap">
      <Mark icon={isGood ? 'done' : 'attention'} tone={isGood ? 'good' : is === 'left' ? 'warn' : 'bad'}>
        {t(`shift.item:${is}`)}
      </Mark>
      {carId !== null && <Plate number={carNumber} carId={carId} />}
      <a href={`/r/${reservationId}`} class="numeric">
        #{reservationId}
      </a>
      <strong>{textOf('attention', kind)}</strong>
      <span class="soft small numeric">
        {raisedAt === null ? t('shift.item:before') : formatMoment(raisedAt)}
        {endedAt !== null && ` – ${formatMoment(endedAt)}`}
      </span>
      {(by ?? owner) !== null && (
        <Mark icon="user" tone="plain">
          {by ?? owner}
        </Mark>
      )}
    </li>
  );
}

export function Alerts({ since }: { since: string }) {
  return (
    <Panel title={t('now.alerts')} icon="alert" isFlush>
      <Load of={useAlerts(since)}>
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Empty>{t('shift.alerts.none')}</Empty>
          ) : (
            <>
              <PartNotice isWhole={isWhole} n={items.length} />
              <ul>
                {items.map(({ kind, subject, since: raisedAt, clearedAt, message }) => (
                  <li key={`${kind} ${subject} ${raisedAt}`} class="line">
                    <p class="row wrap">
                      <Mark
                        icon={clearedAt === null ? 'alert' : 'done'}
                        tone={clearedAt === null ? 'warn' : 'good'}
                      >
                        {clearedAt === null
                          ? t('shift.alert.open')
                          : t('shift.alert.cleared', { time: formatMoment(clearedAt) })}
                      </Mark>
                      <strong>{textOf('alert', kind)}</strong>
                      <span class="mono small">{subject}</span>
                      <span class="soft small numeric">{formatMoment(raisedAt)}</span>
                    </p>
                    <p class="small">{readable(message)}</p>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Load>
    </Panel>
  );
}

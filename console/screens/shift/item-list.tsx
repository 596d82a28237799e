import { Load } from '../../design/load.js';
import { Mark, Plate } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment, readable } from '../../design/time.js';
import { t, textOf } from '../../texts/index.js';
import type { ShiftItem } from './items.js';
import { PartNotice } from './part-notice.js';
import { useAlerts } from './reads.js';

/** Attention items of the shift: open ones first. */
export function Items({ items, isMore }: { items: readonly ShiftItem[]; isMore: boolean }) {
  return (
    <Panel title={t('shift.items')} icon="attention" count={items.length} isFlush>
      <RowsInPlace
        items={items}
        idOf={({ reservationId, kind }) => `${reservationId} ${kind}`}
        empty={t('none')}
        row={(item) => <Item item={item} />}
      />
      {isMore && <p class="line soft">{t('shift.moreOpen')}</p>}
    </Panel>
  );
}

function Item({ item }: { item: ShiftItem }) {
  const { reservationId, carId, carNumber, kind, raisedAt, is, endedAt, by, owner } = item;
  const isGood = is === 'resolved' || is === 'cleared';
  return (
    <>
      <Mark icon={isGood ? 'done' : 'attention'} tone={isGood ? 'good' : is === 'left' ? 'warn' : 'bad'}>
        {t(`shift.item:${is}`)}
      </Mark>
      {carId !== null && <Plate number={carNumber} carId={carId} />}
      <a href={`/r/${reservationId}`} class="numeric">
        #{reservationId}
      </a>
      <strong>{textOf('attention', kind)}</strong>
      <When from={raisedAt} to={endedAt} />
      {(by ?? owner) !== null && (
        <Mark icon="user" tone="plain">
          {by ?? owner}
        </Mark>
      )}
    </>
  );
}

/** `from` is null where it was raised before the shift, `to` while it is open. */
function When({ from, to }: { from: string | null; to: string | null }) {
  return (
    <span class="soft small">
      {from === null ? t('shift.item:before') : <Moment at={from} />}
      {to !== null && (
        <>
          {' – '}
          <Moment at={to} />
        </>
      )}
    </span>
  );
}

export function Alerts({ since }: { since: string }) {
  return (
    <Panel title={t('now.alerts')} icon="alert" isFlush>
      <Load of={useAlerts(since)}>
        {({ items, isWhole }) => (
          <>
            <PartNotice isWhole={isWhole} n={items.length} />
            <RowsInPlace
              items={items}
              idOf={(alert) => `${alert.kind} ${alert.subject} ${alert.since}`}
              empty={t('none')}
              row={({ kind, subject, since: raisedAt, clearedAt, message, path }) => (
                <>
                  <Mark
                    icon={clearedAt === null ? 'alert' : 'done'}
                    tone={clearedAt === null ? 'warn' : 'good'}
                  >
                    {t(`shift.item:${clearedAt === null ? 'open' : 'cleared'}`)}
                  </Mark>
                  <strong>{textOf('alert', kind)}</strong>
                  <span class="mono small">{subject}</span>
                  <When from={raisedAt} to={clearedAt} />
                  {path !== '/' && <a href={path}>{t('button.show')}</a>}
                  <p class="small">{readable(message)}</p>
                </>
              )}
            />
          </>
        )}
      </Load>
    </Panel>
  );
}

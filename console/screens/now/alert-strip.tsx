import type { Alert, Board } from '../../api/types.js';
import { Icon } from '../../design/icon.js';
import { Mark } from '../../design/mark.js';
import { formatMoment, formatRelative, Moment, readable } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { t, textOf } from '../../texts/index.js';

/** What affects every reservation: parts that do not answer, and open alerts. It is there without any, so that rows stay in place; of an old board, none is not known. */
export function AlertStrip({ board, isStale }: { board: Board; isStale: boolean }) {
  const { alerts, degraded, degradedSince } = board;
  const none = alerts.length === 0 && degraded.length === 0;
  return (
    <section class="alerts row" aria-label={t('now.alerts')}>
      {none && (
        <Mark icon={isStale ? 'unknown' : 'done'} tone="plain">
          {isStale ? `${t('now.alerts')}: ${t('error.part')}` : t('now.noAlerts')}
        </Mark>
      )}
      {degraded.map((part) => {
        const since = degradedSince[part] ?? serviceTime();
        return (
          <Mark key={part} icon="offline" tone="bad">
            {t('now.degraded', { part: textOf('part', part), time: formatMoment(since) })} ·{' '}
            {formatRelative(since)}
          </Mark>
        );
      })}
      {alerts.map((alert) => (
        <AlertMark key={`${alert.kind} ${alert.subject}`} alert={alert} />
      ))}
    </section>
  );
}

function AlertMark({ alert: { kind, subject, since, message, path } }: { alert: Alert }) {
  const id = `alert-${kind}-${subject}`;
  return (
    <>
      <button type="button" class="mark warn" popovertarget={id} aria-keyshortcuts="w">
        <Icon name="alert" />
        <span>
          {textOf('alert', kind)} {subject !== '' && <span class="mono">{subject}</span>}
        </span>
        <Icon name="down" />
      </button>
      <div id={id} popover="auto" class="menu alert-menu">
        <p class="soft small">
          <Moment at={since} />
        </p>
        <p>{readable(message)}</p>
        <p class="row">
          <span class="small mono soft grow">{kind}</span>
          {path !== '/' && <a href={path}>{t('button.show')}</a>}
        </p>
      </div>
    </>
  );
}

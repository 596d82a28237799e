import { Icon } from '../design/icon.js';
import { formatMoment } from '../design/time.js';
import { connection } from '../live/changes.js';
import { now } from '../state/clock.js';
import { me } from '../state/session.js';
import { t } from '../texts/index.js';

/** The service's time with its zone, and whether changes arrive by themselves. */
export function LiveMark() {
  const state = connection.value;
  return (
    <span class={`live ${state}`}>
      <span class="numeric clock" title={t('time.zone', { zone: me()?.timeZone ?? '' })}>
        {formatMoment(now.value, { withSeconds: true })}
        <span class="soft small"> {me()?.timeZone}</span>
      </span>
      <span class="row" role="status" title={state === 'live' ? undefined : t('live.offlineHint')}>
        <Icon name={state === 'live' ? 'live' : 'offline'} />
        <span>{t(`live:${state}`)}</span>
      </span>
    </span>
  );
}

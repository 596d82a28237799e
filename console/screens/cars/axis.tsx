import { Button } from '../../design/button.js';
import { Icon } from '../../design/icon.js';
import { formatMoment, toLocal } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { place as address, setQuery } from '../../state/router.js';
import { me } from '../../state/session.js';
import { language, t } from '../../texts/index.js';
import { addDays, dayChoices, listTicks, type Shown, toPercent } from './period.js';

/** The head of the bars: which days, and the marks of the axis. */
export function Axis({ shown }: { shown: Shown }) {
  const move = (periods: number) => setQuery({ from: addDays(shown, periods * shown.days) });
  const isToday = address.value.query.get('from') === null;
  return (
    <header class="axis-head">
      <div class="row wrap">
        <Button icon="back" label={t('cars.earlier')} shortcut="[" onClick={() => move(-1)}>
          <span class="wide-only">{t('cars.earlier')}</span>
        </Button>
        <Button disabled={isToday} shortcut="t" onClick={() => setQuery({ from: null })}>
          {t('cars.today')}
        </Button>
        <Button icon="out" label={t('cars.later')} shortcut="]" onClick={() => move(1)}>
          <span class="wide-only">{t('cars.later')}</span>
        </Button>
        <select
          class="input"
          aria-label={t('cars.period')}
          onChange={({ currentTarget }) => setQuery({ days: currentTarget.value })}
        >
          {dayChoices.map((days) => (
            <option key={days} value={days} selected={days === shown.days}>
              {days === 1 ? t('cars.oneDay') : t('cars.days', { n: days })}
            </option>
          ))}
        </select>
      </div>
      <div class="ticks" aria-hidden="true">
        {listTicks(shown).map(({ at, isDay }) => (
          <span
            key={at}
            class={isDay ? 'tick day numeric' : 'tick numeric'}
            style={{ left: `${toPercent(shown, at)}%` }}
          >
            {isDay ? dayName(at) : toLocal(at).slice(11)}
          </span>
        ))}
        <NowLine shown={shown} />
      </div>
    </header>
  );
}

function dayName(at: number): string {
  return new Date(`${toLocal(at)}Z`).toLocaleDateString(language.value, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}

/** Where the present is. */
export function NowLine({ shown }: { shown: Shown }) {
  const at = now.value;
  if (at < shown.start || at > shown.end) return null;
  return (
    <span
      class="now-line"
      style={{ left: `${toPercent(shown, at)}%` }}
      title={`${formatMoment(at)} ${me()?.timeZone ?? ''}`}
    />
  );
}

const kinds = ['reservation', 'overdue', 'risk', 'hold', 'finding'] as const;

/** What each kind of bar means; none rests on its colour alone. */
export function Legend() {
  return (
    <ul class="legend row wrap small" aria-label={t('legend.title')}>
      {kinds.map((kind) => (
        <li key={kind} class="row">
          <span class={`swatch ${kind}`} aria-hidden="true">
            {kind === 'risk' && <Icon name="attention" />}
          </span>
          {t(`legend:${kind}`)}
        </li>
      ))}
    </ul>
  );
}

import type { Car, CarSchedule, ScheduleBar } from '../../api/types.js';
import { Icon } from '../../design/icon.js';
import { Plate } from '../../design/mark.js';
import { formatDuration, formatMoment, formatRelative } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { place as address } from '../../state/router.js';
import { t, textOf } from '../../texts/index.js';
import { NowLine } from './axis.js';
import { type PlacedBar, placed } from './bars.js';
import { type Shown, toPercent } from './period.js';

interface RowProps {
  car: Car;
  schedule: CarSchedule | undefined;
  shown: Shown;
  isOpen: boolean;
}

/** One car, and what takes it. */
export function CarRow({ car, schedule, shown, isOpen }: RowProps) {
  const bars = schedule === undefined ? [] : placed(schedule, now.value);
  const within = bars.filter(({ start, takenUntil }) => takenUntil > shown.start && start < shown.end);
  return (
    <li class="car-row">
      <a class="row-link" href={withCar(car.carId)} aria-current={isOpen ? 'true' : undefined}>
        <Plate number={car.carNumber} carId={car.carId} />
        <span class="soft small">{car.detailModelName}</span>
      </a>
      <div class="track">
        {within.length === 0 && <span class="only-spoken">{t('cars.freeAll')}</span>}
        <NowLine shown={shown} />
        {within.map((one) => (
          <Bar key={keyOf(one)} placed={one} shown={shown} carId={car.carId} />
        ))}
      </div>
    </li>
  );
}

/** The address of this screen with a car open. */
function withCar(carId: number): string {
  const query = new URLSearchParams(address.value.query);
  query.set('car', String(carId));
  return `/cars?${query}`;
}

function keyOf({ bar }: PlacedBar): string {
  if (bar.type === 'reservation') return `r${bar.reservationId}`;
  return bar.type === 'hold' ? bar.holdId : `f${idOf(bar)}`;
}

function Bar({ placed: one, shown, carId }: { placed: PlacedBar; shown: Shown; carId: number }) {
  const { bar, start, end, takenUntil, isAtRisk } = one;
  const left = toPercent(shown, start);
  const style = { left: `${left}%`, width: `${Math.max(toPercent(shown, end) - left, 0.4)}%` };
  const isOverdue = takenUntil > end;
  const late = isOverdue ? t('bar.overdue', { duration: formatDuration(takenUntil - end) }) : null;
  const label = [nameOf(one), isAtRisk && t('bar.risk'), late].filter(Boolean).join(', ');
  const href =
    bar.type === 'reservation'
      ? `/r/${bar.reservationId}`
      : bar.type === 'finding'
        ? '/in?view=findings'
        : withCar(carId);
  return (
    <>
      {end > shown.start && (
        <a
          class={`taken ${bar.type}${isAtRisk ? ' risk' : ''}`}
          style={style}
          href={href}
          aria-label={label}
          title={label}
        >
          {isAtRisk && <Icon name="attention" />}
          <span>{shortName(one)}</span>
        </a>
      )}
      {isOverdue && takenUntil > shown.start && (
        <span
          class="taken overdue"
          style={{
            left: `${toPercent(shown, end)}%`,
            width: `${toPercent(shown, takenUntil) - toPercent(shown, end)}%`,
          }}
          title={late ?? ''}
          aria-hidden="true"
        >
          <Icon name="late" />
          <span>{t('now.late', { duration: formatDuration(takenUntil - end) })}</span>
        </span>
      )}
    </>
  );
}

/** Of an entry of the platform's schedule; a finding may have none. */
const idOf = ({
  scheduleId,
  findingId = '',
}: Extract<ScheduleBar, { type: 'entry' | 'finding' }> & { findingId?: number | '' }) =>
  scheduleId ?? findingId;

function nameOf({ bar, start, end }: PlacedBar): string {
  const times = {
    start: formatMoment(start, { withDay: true }),
    end: formatMoment(end, { withDay: true }),
  };
  switch (bar.type) {
    case 'reservation':
      return t('bar.reservation', {
        ...times,
        id: bar.reservationId,
        status: bar.status.code === null ? t('status:unknown') : textOf('status', bar.status.code),
      });
    case 'hold':
      return t('bar.hold', { ...times, state: textOf('hold', bar.state) });
    case 'entry':
      return t('bar.entry', { ...times, id: bar.scheduleId, ago: formatRelative(bar.readAt) });
    default:
      return t('bar.finding', { ...times, id: idOf(bar) });
  }
}

function shortName({ bar }: PlacedBar): string {
  switch (bar.type) {
    case 'reservation':
      return `${bar.reservationId} ${bar.status.code === null ? '' : textOf('status', bar.status.code)}`;
    case 'hold':
      return `${t('bar.holdShort')} · ${textOf('hold', bar.state)}`;
    default:
      return t('bar.findingShort', { id: idOf(bar) });
  }
}

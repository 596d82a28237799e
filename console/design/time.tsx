import { computed } from '@preact/signals';
import { now } from '../state/clock.js';
import { me } from '../state/session.js';
import { language, t } from '../texts/index.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The service's zone, as an ISO date ends with it. */
export const zone = () => me()?.timeZone ?? 'Z';

/** What a `datetime-local` input has, in the service's zone; undefined where it has nothing. */
export function toInstant(local: string): string | undefined {
  return local === '' ? undefined : `${local.slice(0, 16)}:00${zone()}`;
}

/** Its UTC fields are those of the service's zone. */
const inZone = (moment: string | number) =>
  new Date(new Date(moment).getTime() - Date.parse(`1970-01-01T00:00${zone()}`));

/** A moment as a `datetime-local` input takes it, in the service's zone. */
export function toLocal(moment: string | number): string {
  return inZone(moment).toISOString().slice(0, 16);
}

/** Made once: a browser takes long to make one, and a screen shows hundreds of days. */
const dayFormat = (year?: 'numeric') =>
  computed(
    () => new Intl.DateTimeFormat(language.value, { month: 'short', day: 'numeric', timeZone: 'UTC', year }),
  );
const dayOfThisYear = dayFormat();
const dayOfAnyYear = dayFormat('numeric');

/** A moment as the service's zone writes it: the time, and the day where it is not today. */
export function formatMoment(moment: string | number, { withDay = false, withSeconds = false } = {}): string {
  const local = inZone(moment);
  const today = inZone(now.value);
  const time = local.toISOString().slice(11, withSeconds ? 19 : 16);
  if (!withDay && local.toISOString().slice(0, 10) === today.toISOString().slice(0, 10)) return time;
  const isThisYear = local.getUTCFullYear() === today.getUTCFullYear();
  return `${(isThisYear ? dayOfThisYear : dayOfAnyYear).value.format(local)} ${time}`;
}

const units = [
  ['time.days', dayMs],
  ['time.hours', hourMs],
  ['time.minutes', minuteMs],
  ['time.seconds', 1_000],
] as const;

/** `2 d 3 h`, `1 h 20 min`, `5 min`, `40 s`. */
export function formatDuration(ms: number): string {
  let rest = Math.abs(ms);
  const first = units.findIndex(([, unitMs]) => rest >= unitMs || unitMs === 1_000);
  const parts: string[] = [];
  for (const [key, unitMs] of units.slice(first, first < 2 ? first + 2 : first + 1)) {
    const n = Math.floor(rest / unitMs);
    rest %= unitMs;
    if (n > 0 || parts.length === 0) parts.push(t(key, { n }));
  }
  return parts.join(' ');
}

/** `in 5 min`, `5 min ago`. */
export function formatRelative(moment: string | number): string {
  const left = new Date(moment).getTime() - now.value;
  if (Math.abs(left) < 1_000) return t('time.now');
  return t(left > 0 ? 'time.in' : 'time.ago', { duration: formatDuration(left) });
}

const stamp = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/g;

/** A sentence of the API with its times as the console writes them. */
export function readable(text: string): string {
  return text.replace(stamp, (moment) => formatMoment(moment));
}

interface MomentProps {
  at: string | number | null;
  relative?: boolean;
  withSeconds?: boolean;
}

/** The moment, and beside it how far away it is. */
export function Moment({ at, relative = true, withSeconds = false }: MomentProps) {
  if (at === null) return <span class="soft">{t('time.unknown')}</span>;
  const iso = typeof at === 'number' ? new Date(at).toISOString() : at;
  return (
    <time class="numeric" dateTime={iso} title={`${iso}`}>
      {formatMoment(at, { withSeconds })}
      {relative && <span class="soft"> · {formatRelative(at)}</span>}
    </time>
  );
}

interface PeriodProps {
  start?: string | number | null;
  end?: string | number | null;
}

/** From when until when, each with its day; one that is not known is left open. */
export function Period({ start, end }: PeriodProps) {
  const written = (moment: PeriodProps['start']) => (moment ? formatMoment(moment, { withDay: true }) : '…');
  return (
    <span class="numeric">
      {written(start)} – {written(end)}
    </span>
  );
}

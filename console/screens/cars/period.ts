import { computed } from '@preact/signals';
import { toInstant, toLocal } from '../../design/time.js';
import { now } from '../../state/clock.js';

const dayMs = 24 * 3_600_000;
export const dayChoices = [1, 3, 7, 14] as const;

/** The day in the service's zone: what shows it renders again at midnight. */
export const today = computed(() => toLocal(now.value).slice(0, 10));

/** What the bars show: whole days of the service's zone, as instants. */
export interface Shown {
  start: number;
  end: number;
  days: number;
}

/** By the address: `from` is a day, `days` how many. Without them: three days from today on. */
export function readShown(query: URLSearchParams): Shown {
  const requested = Number(query.get('days'));
  const days = dayChoices.find((choice) => choice === requested) ?? 3;
  const given = query.get('from') ?? '';
  const day = /^\d{4}-\d\d-\d\d$/.test(given) ? given : today.value;
  const start = Date.parse(toInstant(`${day}T00:00`) ?? '');
  return { start, end: start + days * dayMs, days };
}

/** The day that begins `days` later, as the address has it. */
export const addDays = ({ start }: Shown, days: number): string => toLocal(start + days * dayMs).slice(0, 10);

/** Where an instant is in the shown period, in percent; clipped. */
export function toPercent({ start, end }: Shown, at: number): number {
  return Math.min(Math.max(((at - start) / (end - start)) * 100, 0), 100);
}

export interface Tick {
  at: number;
  isDay: boolean;
}

/** Marks of the axis: each day, and hours between as far as there is room. */
export function listTicks({ start, end, days }: Shown): Tick[] {
  const stepMs = days === 1 ? 3 * 3_600_000 : days === 3 ? 12 * 3_600_000 : dayMs;
  const ticks: Tick[] = [];
  for (let at = start; at < end; at += stepMs) ticks.push({ at, isDay: (at - start) % dayMs === 0 });
  return ticks;
}

import { parseDuration } from '../../../app/config/duration.js';
import type { Instant } from '../../../domain/shared/time.js';

/** A moment of a story, relative to the rental as it was booked, or to the step itself: `start+3h`, `end`, `now+10m`. */
export interface Moment {
  anchor: Anchor;
  offsetMs: number;
}
const anchors = ['booked', 'start', 'end', 'now'] as const;
type Anchor = (typeof anchors)[number];
/** The rental as it was booked. */
export type Anchors = Record<Exclude<Anchor, 'now'>, Instant>;

const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const plain = /^(?:\d+(?:\.\d+)?[dhms]\s*)+$/;

/** `3h`, `1d 12h`, `90s` or ISO 8601 (`PT3H`) in milliseconds; undefined where it is neither. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (!plain.test(trimmed)) return parseDuration(trimmed);
  const parts = [...trimmed.matchAll(/(\d+(?:\.\d+)?)([dhms])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
}

/** `end+3h`, `start - 10m`, `booked`; undefined where it is none. */
export function readMoment(text: string): Moment | undefined {
  const [, anchor, sign, rest] = /^(booked|start|end|now)\s*(?:([+-])\s*(.+))?$/.exec(text.trim()) ?? [];
  const known = anchors.find((one) => one === anchor);
  if (known === undefined) return undefined;
  if (rest === undefined) return { anchor: known, offsetMs: 0 };
  const ms = readDuration(rest);
  return ms === undefined ? undefined : { anchor: known, offsetMs: sign === '-' ? -ms : ms };
}

export function instantOf(moment: Moment, at: Anchors, now: Instant): Instant {
  return { ...at, now }[moment.anchor] + moment.offsetMs;
}

/** `1d 3h`, `15m`, `1.5s`; what is shorter than a second is `0m`. */
export function showDuration(ms: number): string {
  let left = Math.round(Math.abs(ms) / 100) * 100;
  const words: string[] = [];
  for (const [unit, size] of Object.entries(units)) {
    const amount = unit === 's' ? Math.round(left / 100) / 10 : Math.floor(left / size);
    if (amount > 0) words.push(`${amount}${unit}`);
    left -= amount * size;
  }
  return words.length === 0 ? '0m' : words.join(' ');
}

/** An instant of a story as its file would write it, to the second below two minutes, else to the minute. */
export function showMoment(instant: Instant, at: Anchors): string {
  const anchor: keyof Anchors =
    instant >= at.end - 500 ? 'end' : instant >= at.start - 500 ? 'start' : 'booked';
  const near = at.start - instant;
  const [from, ms]: [keyof Anchors, number] =
    anchor === 'booked' && near < instant - at.booked ? ['start', -near] : [anchor, instant - at[anchor]];
  const grain = Math.abs(ms) < 120_000 ? 1_000 : 60_000;
  const rounded = Math.round(ms / grain) * grain;
  if (rounded === 0) return from;
  return `${from}${rounded < 0 ? '-' : '+'}${showDuration(rounded)}`;
}

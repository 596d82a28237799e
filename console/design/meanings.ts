import type { LaneName, Reservation } from '../api/types.js';
import type { IconName } from './icons.js';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'quiet' | 'plain';

/* Each has an icon of its own: what a colour states is readable without it. */

export const statusMarks: Readonly<Record<number, { icon: IconName; tone: Tone }>> = {
  5: { icon: 'booked', tone: 'quiet' },
  10: { icon: 'out', tone: 'accent' },
  15: { icon: 'flag', tone: 'accent' },
  20: { icon: 'drive', tone: 'good' },
  25: { icon: 'late', tone: 'bad' },
  30: { icon: 'back', tone: 'accent' },
  35: { icon: 'done', tone: 'quiet' },
  40: { icon: 'cancelled', tone: 'quiet' },
  45: { icon: 'absent', tone: 'quiet' },
  50: { icon: 'alert', tone: 'bad' },
};

export const gradeIcons: Readonly<Record<NonNullable<Reservation['status']['grade']>, IconName>> = {
  observed: 'observed',
  asserted: 'asserted',
  commanded: 'commanded',
  corroborated: 'corroborated',
  inferred: 'inferred',
};

export const laneIcons: Readonly<Record<LaneName, IconName>> = {
  attention: 'attention',
  dueOut: 'out',
  out: 'drive',
  dueBack: 'back',
  toRecall: 'flag',
};

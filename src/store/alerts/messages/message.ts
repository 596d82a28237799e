import { type DataOf, type Message, renderer } from '../../../domain/shared/message.js';
import { alertEn } from './en.js';

type AlertCode = keyof typeof alertEn;

/** The text of an alert, by its code; `{}` where it has no data. */
export function message<Code extends AlertCode>(
  code: Code,
  data: DataOf<(typeof alertEn)[Code]>,
): Message<Code, DataOf<(typeof alertEn)[Code]>> {
  return { code, data };
}

/** In English, which is stored and posted. None has a time, so the zone does not matter. */
export const inEnglish = renderer(alertEn, 0);

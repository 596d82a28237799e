import type { DataOf, Message } from '../../shared/message.js';
import type { holdEn } from './en.js';

export type HoldCode = keyof typeof holdEn;

/** A sentence about a hold, by its code; `{}` where it has no data. */
export function message<Code extends HoldCode>(
  code: Code,
  data: DataOf<(typeof holdEn)[Code]>,
): Message<Code, DataOf<(typeof holdEn)[Code]>> {
  return { code, data };
}

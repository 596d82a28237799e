import type { DataOf, Message } from '../../domain/shared/message.js';
import type { apiEn } from './en/index.js';

export type ApiCode = keyof typeof apiEn;

/** Why the status API refuses, by its code; `{}` where it has no data. */
export function message<Code extends ApiCode>(
  code: Code,
  data: DataOf<(typeof apiEn)[Code]>,
): Message<Code, DataOf<(typeof apiEn)[Code]>> {
  return { code, data };
}

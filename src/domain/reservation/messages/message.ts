import type { DataOf, Message } from '../../shared/message.js';
import type { AttentionKind } from '../types.js';
import type { en } from './en/index.js';

export type ReservationCode = keyof typeof en;
type ReservationMessage<Code extends ReservationCode = ReservationCode> = {
  [C in Code]: Message<C, DataOf<(typeof en)[C]>>;
}[Code];

/** The sentence of an attention item. */
export type AttentionMessage<Kind extends AttentionKind = AttentionKind> =
  ReservationMessage<`attention.${Kind}`>;

/** A sentence about a reservation, by its code; `{}` where it has no data. */
export function message<Code extends ReservationCode>(
  code: Code,
  data: DataOf<(typeof en)[Code]>,
): Message<Code, DataOf<(typeof en)[Code]>> {
  return { code, data };
}

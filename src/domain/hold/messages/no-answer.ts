import type { Message } from '../../shared/message.js';
import type { Unknown } from '../../shared/outcome.js';
import { message } from './message.js';

export const noAnswer: Readonly<Message> = message('hold.no-answer', {});

/** After a request whose effect is not known: its answer cannot be read, or there was none. */
export function afterLost({ message: why }: Unknown): Message {
  return why === undefined ? noAnswer : message('hold.answer-unread', { why });
}

import { z } from 'zod';
import { PlatformCallError } from '../errors.js';
import type { CommandReceipt, Received } from '../model.js';
import type { Operation } from '../profile.js';
import { describeMisfit, unreadOf } from '../unread.js';
import { codeTexts } from './code-texts.js';
import type { Answered } from './exchange.js';
import { readWire } from './read-wire.js';
import { cutAnswer } from './refusal.js';

/**
 * The platform applied the command (any 2xx, L30). `unparsed`: its body could not be read, so the receipt is empty.
 */
export interface CommandAnswer extends CommandReceipt {
  unparsed?: true;
}

/**
 * Reads a 2xx as the operation's answer.
 *
 * @throws PlatformCallError UNREADABLE with the paths that do not fit, never with their values; BROKEN, TIMEOUT
 *   or ABORTED where the body is incomplete
 */
export function readAnswer<P, Q, B, O>(
  name: string,
  { method, success }: Operation<P, Q, B, O>,
  { status, body, cut }: Answered,
): O {
  if (cut) throw cutAnswer(name, status, cut);
  const read = readWire<O>(success.schema ?? z.never(), body);
  const misfits = 'misfits' in read ? read.misfits : method === 'GET' && whyNothing(read.value);
  if ('value' in read && !misfits) return read.value;
  throw new PlatformCallError('UNREADABLE', `${name}: ${codeTexts.UNREADABLE}: ${misfits}`, {
    operation: name,
    httpStatus: status,
  });
}

/** An object without a single readable field is another kind of object. @returns what was expected; false where a field is known */
function whyNothing(read: unknown): string | false {
  const isNothing =
    typeof read === 'object' && read !== null && Object.values(read).every((part) => part === null);
  if (!isNothing || unreadOf(read).length === 0) return false;
  return unreadOf(read).slice(0, placesShown).map(describeMisfit).join('; ');
}
const placesShown = 4;

/**
 * L30: any 2xx means applied. An answer whose body is incomplete, or whose status cannot be read, is marked `unparsed`.
 */
export function readReceipt<P, Q, B>(
  { success }: Operation<P, Q, B, Received<CommandReceipt> | undefined>,
  { body, cut }: Answered,
): { answer: CommandAnswer; read?: object | undefined } {
  if (!success.schema) return { answer: {} };
  if (cut) return { answer: { unparsed: true } };
  if (body.length === 0) return { answer: {} };
  const read = readWire(success.schema, body);
  if (!('value' in read)) return { answer: { unparsed: true } };
  const { reservationId, reservationStatus } = read.value ?? {};
  const known = {
    ...(typeof reservationId === 'number' && { reservationId }),
    ...(typeof reservationStatus === 'number' && { reservationStatus }),
  };
  return {
    answer: reservationStatus === null ? { ...known, unparsed: true } : known,
    read: read.value,
  };
}

import { z } from 'zod';
import { PlatformCallError } from '../errors.js';
import type { CommandReceipt } from '../model.js';
import type { Operation } from '../profile.js';
import type { Answered } from './exchange.js';
import { readWire } from './read-wire.js';
import { cutAnswer } from './refusal.js';
import { said } from './said.js';

/**
 * The platform took the command (any 2xx, L30). `unparsed`: what it wrote beside that could not be read, so the
 * receipt is empty.
 */
export interface CommandAnswer extends CommandReceipt {
  unparsed?: true;
}

/**
 * Reads a 2xx as the operation's answer.
 *
 * @throws PlatformCallError UNREADABLE with the places that do not fit, never with their values; BROKEN, TIMEOUT
 *   or ABORTED where the body is not whole
 */
export function readAnswer<P, Q, B, O>(
  name: string,
  { success }: Operation<P, Q, B, O>,
  { status, body, cut }: Answered,
): O {
  if (cut) throw cutAnswer(name, status, cut);
  const read = readWire<O>(success.schema ?? z.never(), body);
  if ('value' in read) return read.value;
  throw new PlatformCallError('UNREADABLE', `${name}: ${said.UNREADABLE}: ${read.misfits}`, {
    operation: name,
    httpStatus: status,
  });
}

/** L30: a 2xx means applied whatever its body; one that is cut off or does not fit is marked `unparsed`. */
export function readReceipt<P, Q, B>(
  { success }: Operation<P, Q, B, CommandReceipt | undefined>,
  { body, cut }: Answered,
): CommandAnswer {
  if (!success.schema) return {};
  if (cut) return { unparsed: true };
  if (body.length === 0) return {};
  const read = readWire(success.schema, body);
  return 'value' in read ? (read.value ?? {}) : { unparsed: true };
}

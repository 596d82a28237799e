import type { CommandView, Refusal, ReservationView } from '../../domain/reservation/index.js';
import { keyReused } from '../../domain/shared/idempotency.js';
import type { Sentence } from '../../domain/shared/message.js';
import type { ActionReply, DecisionAnswer } from '../../temporal/client/reservations/types.js';
import { message as sentence } from '../messages/message.js';
import { Problem } from './problem.js';
import { type ProblemCode, problemCodes } from './problem-codes.js';
import type { ProblemMembers } from './problem-members.js';

/**
 * The answer to a staff action: 200 with the reservation once applied, 202 with the command while its outcome is
 * open or unknown.
 * @throws `Problem` for a refusal of ours (its own code), and 409 with the platform's code for one of the platform
 */
export function actionOutcome(
  reservationId: number,
  answer: ActionReply,
): { status: 200; body: ReservationView } | { status: 202; body: CommandView } {
  if (answer.kind !== 'answered') throw refusalOf(reservationId, answer);
  const { command, reservation } = answer;
  if (command.outcome === 'applied') return { status: 200, body: reservation };
  if (command.outcome !== 'rejected') return { status: 202, body: command };
  const { commandId, platformMessage } = command;
  throw platformRefusal(command.code, command.message, 409, { commandId, platformMessage });
}

/** The answer to a manager's decision: the reservation after it. */
export function decisionOutcome(reservationId: number, answer: DecisionAnswer): ReservationView {
  if (answer.kind === 'settled') return answer.reservation;
  throw refusalOf(reservationId, answer);
}

function refusalOf(reservationId: number, answer: Exclude<DecisionAnswer, { kind: 'settled' }>): Problem {
  return answer.kind === 'refused' ? refused(answer.refusal) : noReservation(reservationId);
}

/** A refusal at once (L20, L21, L27), under its own code; `overridable`: an override with a reason would send it. */
export function refused({ code, message, overridable }: Refusal): Problem {
  return new Problem(code, message, { members: { overridable } });
}

/**
 * The platform's refusal under the platform's code; a code outside our list is only in `platformCode`. The platform's own
 * text is in `platformMessage`.
 */
export function platformRefusal(
  code: string | null,
  message: Sentence | null,
  status: number,
  members: ProblemMembers,
): Problem {
  const known = code !== null && Object.hasOwn(problemCodes, code);
  const detail = byPlatform(code, message ?? 'The platform gave no reason.');
  return new Problem(known ? (code as ProblemCode) : 'REFUSED', detail, {
    status,
    members: { ...members, platformCode: code },
  });
}

/** A text of the platform's client, which has a sentence for readers by its code. */
export function byPlatform(code: string | null, text: Sentence): Sentence {
  return typeof text === 'string' ? { code: 'platform.refused', data: { code, text } } : text;
}

/** L21. */
export function refusedKey(): Problem {
  const { code, message } = keyReused();
  return new Problem(code, message);
}

export function noReservation(reservationId: number): Problem {
  return new Problem('RESERVATION_NOT_FOUND', sentence('api.no-reservation', { reservationId }));
}

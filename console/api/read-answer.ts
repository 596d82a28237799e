import type { AnswerForm, Request, WriteEndpoint } from './endpoints.js';
import { isProblem, refusalOf } from './problem.js';
import type { Command, Problem, Reservation } from './types.js';

/** What arrived after a request; status 0: nothing did. */
export interface Received {
  status: number;
  body: unknown;
}

/** What an answer shows of a write. */
export type Answer<Applied = Reservation, Open = Command> =
  | { is: 'applied'; body: Applied }
  /** It is accepted, and its outcome is not known. */
  | { is: 'open'; body: Open }
  | { is: 'rejected'; problem: Problem }
  /**
   * An answer that is no outcome; with the problem that the service states. It may be sent again. `isGone`: of a command that was
   * accepted, and that the service no longer has.
   */
  | { is: 'lost'; problem?: Problem; isGone?: true }
  | { is: 'offline' }
  | { is: 'login' };

/** The service, or what is before it, had no time. */
const later = [408, 425, 429];
/** Of a part that is away or late: nothing was sent to the platform. */
const unsent = ['PHOTO_STORE_UNAVAILABLE', 'RESERVATION_NOT_READY', 'TIMELINE_WAITS'];

/** Whether an attempt without an outcome may have been executed: the service may have failed after it. */
export function mayHaveRun(problem: Problem | undefined): boolean {
  return problem === undefined || !(problem.status < 500 || unsent.includes(problem.code));
}

/**
 * What an answer shows of a write. Only what this API writes counts: the page of a gateway or of a network's own login is neither
 * success nor refusal.
 */
export function readAnswer<Applied, Open>(
  { forms }: WriteEndpoint<Applied, Open>,
  request: Request,
  { status, body }: Received,
): Answer<Applied, Open> {
  if (status === 0) return { is: 'offline' };
  if (status === 401) return { is: 'login' };
  if (status === 202 && hasForm(body, forms.open, request)) return { is: 'open', body: body as Open };
  const isSuccess = status === 200 || status === 201;
  if (isSuccess && hasForm(body, forms.applied, request)) return { is: 'applied', body: body as Applied };
  if (status < 400 || !isProblem(body)) return { is: 'lost' };
  return { is: status < 500 && !later.includes(status) ? 'rejected' : 'lost', problem: body };
}

/** What a later reading of its reservation shows of a command. */
export function readOutcome(key: string, reservationId: number, { status, body }: Received): Answer {
  if (status === 0) return { is: 'offline' };
  if (status === 401) return { is: 'login' };
  const reservation = (body ?? {}) as Partial<Reservation>;
  const isShown =
    status === 200 && reservation.reservationId === reservationId && Array.isArray(reservation.commands);
  return isShown ? outcomeOf(key, reservation as Reservation) : { is: 'lost' };
}

/** What a reservation shows of a command. */
export function outcomeOf<Shown extends Pick<Reservation, 'commands'>>(
  key: string,
  reservation: Shown,
): Answer<Shown> {
  const command = reservation.commands.find(({ commandId }) => commandId === key);
  if (command === undefined) return { is: 'lost', isGone: true };
  if (command.outcome === 'applied') return { is: 'applied', body: reservation };
  if (command.outcome === 'rejected') return { is: 'rejected', problem: refusalOf(command) };
  return { is: 'open', body: command };
}

function hasForm(body: unknown, { member, repeats }: AnswerForm, { params, key }: Request): boolean {
  const value = (body as Record<string, unknown> | null | undefined)?.[member];
  if (repeats === undefined) return value !== undefined;
  return String(value) === String(repeats === 'key' ? key : params?.[repeats]);
}

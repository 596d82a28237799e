import type { CommandResult, ManagerDecision, ManagerDecisions } from '../../../contract/reservation.js';
import type { Command, Refusal, ReservationView } from '../../../domain/reservation/index.js';

/** The answer to a command. `command` may still be on its way: see its state. */
export type ActionReply =
  | ({ kind: 'answered' } & CommandResult)
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'no-reservation' };

export type DecisionAnswer =
  | { kind: 'settled'; reservation: ReservationView }
  | Exclude<ActionReply, { kind: 'answered' }>;

/** The part of a reservation's view that decides whether an action could be applied; nothing personal. */
export interface RecentView {
  status: Pick<ReservationView['status'], 'code'>;
  commands: readonly Pick<ReservationView['commands'][number], 'commandId'>[];
}

/**
 * Everything that reads or changes a reservation; a closed one is read from its case file, and cannot be changed. Every
 * method throws `EngineUnavailableError`.
 */
export interface Reservations {
  /** Undefined: no such reservation. */
  view(reservationId: number): Promise<ReservationView | undefined>;
  /** The result of an action that this process sent in the last minute; undefined: there was none. It may be out of date. */
  recentView(reservationId: number): RecentView | undefined;
  /** Answers within 10 s, whether or not the outcome is known by then (L21-L24). */
  performAction(reservationId: number, command: Command): Promise<ActionReply>;
  /** What a manager resolves; an assertion about an unknown reservation adopts it. */
  applyDecision<S extends ManagerDecision>(
    reservationId: number,
    name: S,
    input: ManagerDecisions[S],
    requestId: string,
  ): Promise<DecisionAnswer>;
}

import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { taskQueue } from '../../../contract/names.js';
import { withAbsentFields } from '../../../contract/older-view.js';
import type { CommandResult } from '../../../contract/reservation.js';
import { erasedMark } from '../../../domain/reservation/erased-view.js';
import {
  type Assertion,
  type Command,
  checkAssert,
  newReservation,
  type Policy,
  type ReservationView,
} from '../../../domain/reservation/index.js';
import type { CaseFiles } from '../../../store/reservations/case-files.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import {
  commandUpdateId,
  decisionUpdateId,
  sendUpdate,
  sendUpdateWithStart,
  type Update,
} from '../updates.js';
import { actOnClosed, answerNotOpen, repeatOnClosed } from './closed.js';
import { ReservationNotReadyError } from './errors.js';
import type { ActionReply, DecisionAnswer, RecentView, Reservations } from './types.js';
import { readAnswer, viewOf } from './view.js';
import { refuseEnded, type Whereabouts, type WhereaboutsParts, whereabouts } from './whereabouts.js';

/** How long to wait for Temporal, in ms. An action and the read after it end within the 10 s that a person waits. */
interface Limits {
  view: number;
  update: number;
  readAgain: number;
  /** For acknowledged events of a reservation to reach its workflow. */
  relay?: number;
}
const defaultLimits: Limits = { view: 5_000, update: 8_500, readAgain: 1_200 };
const relayWithinMs = 2_000;

export interface ReservationOptions extends Pick<WhereaboutsParts, 'inbox' | 'wakeRelay'> {
  /** Case files of closed reservations, also after Temporal has deleted them. */
  cases: Pick<CaseFiles, 'view' | 'decisionMarks'>;
  /** For the start of a reservation that a manager adopts. */
  policy: Policy;
  queue?: string;
  within?: Limits;
}

/**
 * Reads and changes reservations through Temporal: one by query, actions by update. A closed one is
 * read from its case file where its workflow no longer answers; a running workflow is the only source. Calls wait for a
 * reservation whose first callback was just acknowledged.
 */
export function temporalReservations(
  client: Client,
  { policy, cases, inbox, wakeRelay, queue = taskQueue, within = defaultLimits }: ReservationOptions,
): Reservations {
  const parts: Parts = { client, cases, inbox, wakeRelay, within };
  // its timers are unreferenced: the process can end
  const recent = new LRUCache<number, RecentView>({ max: 200, ttl: 60_000, ttlAutopurge: true });
  return {
    view: (id) => knownView(parts, id),
    recentView: (id) => recent.get(id),
    async performAction(id, command) {
      const reply = await performAction(parts, id, command);
      if (reply.kind === 'answered') recent.set(id, toRecent(reply.reservation));
      return reply;
    },
    applyDecision: async (id, name, given, requestId) => {
      const input = { ...given, settlementId: requestId };
      const decision = { name, input, updateId: decisionUpdateId(name, requestId, given) };
      const answer = await applyDecision(parts, id, decision, requestId);
      // an assertion starts only a reservation that is neither open nor closed, or whose workflow was ended
      if (answer.kind !== 'no-reservation' || name !== 'assertFacts') return answer;
      // checked first, because a refused update would start the workflow too
      const refusal = checkAssert(newReservation(id, policy, Date.now()), input as Assertion);
      if (refusal !== null) return { kind: 'refused', refusal };
      const start = { reservationId: id, policy };
      const adopted = await sendUpdateWithStart<ReservationView>(
        client,
        queue,
        within.update,
        start,
        decision,
      );
      return adopted.kind === 'answered'
        ? { kind: 'settled', reservation: withAbsentFields(adopted.result) }
        : adopted;
    },
  };
}

function toRecent({ status, commands }: ReservationView): RecentView {
  return { status: { code: status.code }, commands: commands.map(({ commandId }) => ({ commandId })) };
}

interface Parts extends WhereaboutsParts {
  cases: Pick<CaseFiles, 'view' | 'decisionMarks'>;
  within: Limits;
}

/** The workflow's own view, or that of the case file where the workflow is gone or does not answer. */
async function knownView(parts: Parts, id: number): Promise<ReservationView | undefined> {
  const { client, cases, within } = parts;
  try {
    const read = async (withinMs: number) => {
      const view = await viewOf(client, id, withinMs);
      return view === undefined ? notOpen : { kind: 'seen' as const, view };
    };
    const found = await onceOpen(parts, id, within.view, read);
    if (found.kind === 'seen') return found.view.closed ? await unlessErased(parts, found.view) : found.view;
    refuseEnded(found);
    return found.kind === 'closed' ? found.view : undefined;
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const stored = await cases.view(id).catch(() => undefined);
    if (stored !== undefined) return stored;
    // an ended run fails every query where events wait that no task will ever contain
    const found =
      error.code === 'QUERY_FAILED' && (await whereabouts(parts, id, Date.now()).catch(() => null));
    if (found) refuseEnded(found);
    throw error;
  }
}

/** What Temporal still has of an erased reservation is a replay of tombstones: its case file shows it instead. */
async function unlessErased({ cases }: Parts, view: ReservationView): Promise<ReservationView> {
  const stored = await cases.view(view.reservationId).catch(() => undefined);
  return stored?.marks.includes(erasedMark) ? stored : view;
}

const notOpen = { kind: 'not-open' as const };

/**
 * Calls an open workflow. Where none accepts the call, repeats it once the workflow runs: its first events may be
 * acknowledged and on their way.
 * @param call receives how long it may take, in ms
 * @returns what the call returned, or where the reservation is
 * @throws `ReservationNotReadyError`; what the call throws
 */
async function onceOpen<T extends { kind: string }>(
  parts: Parts,
  id: number,
  withinMs: number,
  call: (withinMs: number) => Promise<T | typeof notOpen>,
): Promise<Exclude<T, typeof notOpen> | Exclude<Whereabouts, { kind: 'open' }>> {
  const begun = Date.now();
  const until = begun + (parts.within.relay ?? relayWithinMs);
  for (;;) {
    const answer = await call(Math.max(begun + withinMs - Date.now(), 1));
    if (answer.kind !== 'not-open') return answer as Exclude<T, typeof notOpen>;
    const found = await whereabouts(parts, id, until);
    if (found.kind !== 'open') return found;
    // a run that has just begun accepts the call; the limit is for one that begins again and again
    if (Date.now() > until) throw new ReservationNotReadyError('waiting');
  }
}

/**
 * L21-L24. Where the stored answer of the update is not `applied`, or no answer came in time, reads the present state of the
 * command from the reservation.
 */
async function performAction(parts: Parts, id: number, command: Command): Promise<ActionReply> {
  const { client, within } = parts;
  const read = () => readAnswer(client, id, within.readAgain, command);
  try {
    const update: Update = { name: command.action, input: command, updateId: commandUpdateId(command) };
    const sent = await onceOpen(parts, id, within.update, (withinMs) =>
      sendUpdate<CommandResult>(client, withinMs, id, update),
    );
    if (sent.kind === 'refused') return sent;
    if (sent.kind !== 'answered') return actOnClosed(parts, id, command, sent);
    const { command: acted, reservation } = sent.result;
    const answer = {
      kind: 'answered' as const,
      command: acted,
      reservation: withAbsentFields(reservation),
    };
    if (answer.command.outcome === 'applied') return answer;
    return (await read().catch(() => undefined)) ?? answer;
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const known = await read();
    if (known === undefined) throw error;
    return known;
  }
}

async function applyDecision(
  parts: Parts,
  id: number,
  decision: Update,
  requestId: string,
): Promise<DecisionAnswer> {
  const sent = await onceOpen(parts, id, parts.within.update, (withinMs) =>
    sendUpdate<ReservationView>(parts.client, withinMs, id, decision),
  );
  if (sent.kind === 'answered') return { kind: 'settled', reservation: withAbsentFields(sent.result) };
  if (sent.kind === 'refused') return sent;
  // an assertion of a manager starts it again
  if (sent.kind === 'ended' && decision.name === 'assertFacts') return { kind: 'no-reservation' };
  const repeated = sent.kind === 'closed' && (await repeatOnClosed(parts, id, decision, requestId, sent));
  return repeated || answerNotOpen(sent);
}

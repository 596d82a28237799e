import type { Client } from '@temporalio/client';
import type { CaseFiles } from '../../cases/case-files.js';
import { reservationWorkflowId, taskQueue } from '../../contract/names.js';
import { viewOfToday } from '../../contract/older-view.js';
import { type CommandResult, viewQuery } from '../../contract/reservation.js';
import {
  type Assertion,
  type Command,
  checkAssert,
  newReservation,
  type Policy,
  type Refusal,
  type ReservationView,
} from '../../lifecycle/index.js';
import { type ActAnswer, EngineUnavailableError, type Reservations, type SettleAnswer } from '../deps.js';
import { callTemporal } from './calls.js';
import { reservationLists } from './lists.js';
import {
  commandUpdateId,
  sendUpdate,
  sendUpdateWithStart,
  settlementUpdateId,
  type Update,
} from './updates.js';

/** How long to wait for Temporal, in ms. An action and the look after it end within the 10 s that a person waits. */
interface Patience {
  view: number;
  update: number;
  look: number;
}
const patience: Patience = { view: 5_000, update: 8_500, look: 1_200 };

export interface ReservationOptions {
  /** What is left of closed reservations, also when Temporal has forgotten them. */
  cases: Pick<CaseFiles, 'view' | 'list'>;
  /** With which a reservation starts that a manager adopts, and where. */
  policy: Policy;
  queue?: string;
  within?: Patience;
}

/**
 * Reads and moves reservations through Temporal: one by query, lists by visibility, actions by update. A closed one is
 * read from its case file where its workflow no longer answers; while a workflow runs, it alone knows.
 */
export function temporalReservations(
  client: Client,
  { policy, cases, queue = taskQueue, within = patience }: ReservationOptions,
): Reservations {
  const open = reservationLists(client);
  const parts: Parts = { client, cases, within };
  return {
    view: (id) => knownView(parts, id),
    list: ({ closed = false, ...filter }) => (closed ? cases.list(filter) : open.list(filter)),
    act: (id, command) => act(parts, id, command),
    settle: async (id, name, input, requestId) => {
      const settlement = { name, input, updateId: settlementUpdateId(name, requestId) };
      const answer = await settle(parts, id, settlement);
      // only a reservation that is neither open nor closed begins by an assertion
      if (answer.kind !== 'no-reservation' || name !== 'assertFacts') return answer;
      // A refused update would start the workflow all the same, so what it would refuse is known before.
      const refusal = checkAssert(newReservation(id, policy, Date.now()), input as Assertion);
      if (refusal !== null) return { kind: 'refused', refusal };
      const start = { reservationId: id, policy };
      const adopted = await sendUpdateWithStart<ReservationView>(
        client,
        queue,
        within.update,
        start,
        settlement,
      );
      return adopted.kind === 'answered' ? { kind: 'settled', reservation: adopted.result } : adopted;
    },
  };
}

interface Parts {
  client: Client;
  cases: ReservationOptions['cases'];
  within: Patience;
}

/** The workflow's own view; the case file's where there is no workflow any more, or it does not answer. */
async function knownView({ client, cases, within }: Parts, id: number): Promise<ReservationView | undefined> {
  try {
    const seen = await viewOf(client, id, within.view);
    return seen ?? (await cases.view(id));
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const kept = await cases.view(id).catch(() => undefined);
    if (kept === undefined) throw error;
    return kept;
  }
}

/**
 * L21-L24. What is not applied may have been settled since Temporal kept the update's answer, or the answer did not
 * come in time: then the reservation itself is asked where the command stands.
 */
async function act(parts: Parts, id: number, command: Command): Promise<ActAnswer> {
  const { client, within } = parts;
  const now = async () => standing(await viewOf(client, id, within.look), command.commandId);
  try {
    const press: Update = { name: command.action, input: command, updateId: commandUpdateId(command) };
    const sent = await sendUpdate<CommandResult>(client, within.update, id, press);
    if (sent.kind === 'refused') return sent;
    if (sent.kind === 'not-open') return actOnClosed(parts, id, command);
    const answer = { kind: 'answered' as const, ...sent.result };
    if (answer.command.outcome === 'applied') return answer;
    return (await now().catch(() => undefined)) ?? answer;
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const taken = await now();
    if (taken === undefined) throw error;
    return taken;
  }
}

/** A closed reservation takes no action, and still tells what became of one that it knows (L21). */
async function actOnClosed(parts: Parts, id: number, { commandId, action }: Command): Promise<ActAnswer> {
  const closed = await closedView(parts, id);
  const repeated = standing(closed, commandId);
  if (repeated?.kind === 'answered' && repeated.command.action === action) return repeated;
  return unopened(closed);
}

function standing(reservation: ReservationView | undefined, commandId: string): ActAnswer | undefined {
  const command = reservation?.commands.find((one) => one.commandId === commandId);
  if (reservation === undefined || command === undefined) return undefined;
  return { kind: 'answered', command, reservation };
}

async function viewOf(client: Client, id: number, withinMs: number): Promise<ReservationView | undefined> {
  const handle = client.workflow.getHandle(reservationWorkflowId(id));
  const view = await callTemporal(client, withinMs, () => handle.query<ReservationView>(viewQuery));
  return view && viewOfToday(view);
}

async function settle(parts: Parts, id: number, settlement: Update): Promise<SettleAnswer> {
  const sent = await sendUpdate<ReservationView>(parts.client, parts.within.update, id, settlement);
  if (sent.kind === 'answered') return { kind: 'settled', reservation: sent.result };
  return sent.kind === 'refused' ? sent : unopened(await closedView(parts, id));
}

/** Of a reservation whose workflow is not open: one that somebody terminated has no case file, and still is known. */
async function closedView(
  { client, cases, within }: Parts,
  id: number,
): Promise<ReservationView | undefined> {
  return (await cases.view(id)) ?? (await viewOf(client, id, within.look));
}

/** No open workflow takes it: the reservation is closed, and not to be begun anew, or nobody knows it. */
function unopened(
  closed: ReservationView | undefined,
): { kind: 'no-reservation' } | { kind: 'refused'; refusal: Refusal } {
  return closed === undefined ? { kind: 'no-reservation' } : { kind: 'refused', refusal: isClosed };
}

const isClosed: Refusal = {
  code: 'RESERVATION_TERMINAL',
  message: 'The reservation is closed; nothing can be done about it any more.',
  overridable: false,
};

import { type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import {
  awaitHoldUpdate,
  changeHoldUpdate,
  type HoldCommandResult,
  type HoldStart,
  holdQuery,
  holdWorkflow,
  holdWorkflowId,
  releaseHoldUpdate,
  resolveHoldUpdate,
} from '../../../contract/hold.js';
import { taskQueue } from '../../../contract/names.js';
import { rfc3339Times } from '../../../contract/older-view.js';
import {
  changeOfOver,
  type HoldRefusal,
  type HoldRequest,
  type HoldView,
  isRefusal,
  isWithoutWorkflow,
  newPeriod,
  standingAmong,
} from '../../../domain/hold/index.js';
import { message } from '../../../domain/hold/messages/message.js';
import { keyReused, standingOf } from '../../../domain/shared/idempotency.js';
import type { Period } from '../../../domain/shared/time.js';
import type { CloseHold } from '../../../store/holds/close.js';
import type { HoldStore } from '../../../store/holds/store.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { callTemporal } from '../calls.js';
import { queryTemporal } from '../query.js';
import { startFirst } from '../start-first.js';
import { sendUpdateTo } from '../updates.js';
import { checkedHold, resolveWithoutWorkflow, workflowGone } from './gone-holds.js';
import type { HoldCommandAnswer, HoldCommandRequest, Holds, KnownHold, MadeHold } from './types.js';

const answerWithinMs = 9_500;
const callWithinMs = 5_000;
const readWithinMs = 1_200;

const updates = { change: changeHoldUpdate, release: releaseHoldUpdate, resolve: resolveHoldUpdate };

export interface HoldOptions extends Pick<HoldStart, 'zoneOffsetMinutes' | 'historyEventsPerRun'> {
  store: HoldStore;
  close: CloseHold;
  queue?: string;
}
interface Parts extends HoldOptions {
  client: Client;
}

/** Creates and changes holds through their workflows; lists, and holds that Temporal has deleted, come from rows. */
export function temporalHolds(client: Client, options: HoldOptions): Holds {
  const parts: Parts = { ...options, client };
  return {
    make: (request) => makeHold(parts, request),
    view: async (holdId) => {
      const found = await readHold(parts, holdId);
      return found === undefined ? undefined : withoutMark(found);
    },
    sendCommand: (holdId, command) => sendHoldCommand(parts, holdId, command),
    list: (filter) => options.store.list(filter),
  };
}

/**
 * Two requests of Temporal for a new hold: its start, and the update that waits for it. A repeat finds the first hold,
 * whatever the time is by then (F15), so a hold is read only where it cannot begin or has begun. Everything else is checked
 * before anything begins (F01, F06).
 */
async function makeHold(parts: Parts, request: HoldRequest): Promise<MadeHold> {
  const answerBy = Date.now() + answerWithinMs;
  const { holdId, mark } = request;
  const plan = await planOf(parts, request).catch((error: Error) => error);
  if ('period' in plan && (await startHold(parts, { ...request, period: plan.period }))) {
    return { kind: 'made', hold: withoutMark(await waitForResult(parts, holdId, answerBy)) };
  }
  const known = await readHold(parts, holdId);
  if (known !== undefined)
    return standingOf(known, mark) === 'same' ? waitForKnown(parts, known, answerBy) : reused;
  if (plan instanceof Error) throw plan;
  if ('kind' in plan) return plan;
  throw new EngineUnavailableError('NOT_FOUND'); // begun, and cannot be read
}

/** What the rows show for a requested hold. `known`: its id was used before, for this or another request. */
type Plan = { period: Period } | { known: true } | MadeHold;

async function planOf({ store }: Parts, request: HoldRequest): Promise<Plan> {
  const { holdId, carId } = request;
  if ((await store.read(holdId)) !== undefined) return { known: true };
  const period = newPeriod(request.period, Date.now());
  if (isRefusal(period)) return { kind: 'refused', refusal: period };
  const other = await store.findOverlapping(carId, period, holdId);
  return other === undefined ? { period } : { kind: 'overlaps', other };
}

const reused: MadeHold = { kind: 'refused', refusal: keyReused() };

/** Starts the workflow. @returns false where it was started before */
async function startHold(
  { client, queue = taskQueue, zoneOffsetMinutes, historyEventsPerRun }: Parts,
  request: HoldRequest,
): Promise<boolean> {
  const start: HoldStart = { request, zoneOffsetMinutes, historyEventsPerRun };
  const options = {
    taskQueue: queue,
    workflowId: holdWorkflowId(request.holdId),
    args: [start] as [HoldStart],
    staticSummary: `Hold of car ${request.carId}`,
  };
  return (await startFirst(client, callWithinMs, holdWorkflow, options)) === 'started';
}

/** Answers for a hold that was made before; waits only while it is being placed. */
async function waitForKnown(parts: Parts, known: HoldView, answerBy: number): Promise<MadeHold> {
  const waits = known.state === 'placing' || known.state === 'releasing';
  return {
    kind: 'made',
    hold: withoutMark(waits ? await waitForResult(parts, known.holdId, answerBy, known) : known),
  };
}

/**
 * Waits until it is placed or refused, or the time of the answer is over; then returns its present state.
 * @param known returned where it cannot be read
 */
async function waitForResult(
  parts: Parts,
  holdId: string,
  answerBy: number,
  known?: HoldView,
): Promise<HoldView> {
  const { client } = parts;
  const handle = client.workflow.getHandle(holdWorkflowId(holdId));
  const wait = () => handle.executeUpdate<HoldView, []>(awaitHoldUpdate, { args: [] });
  const hold = await callTemporal(client, answerBy - readWithinMs - Date.now(), wait).catch((error) => {
    if (error instanceof EngineUnavailableError || error instanceof WorkflowUpdateFailedError)
      return undefined;
    throw error;
  });
  if (hold !== undefined) return rfc3339Times(hold);
  const now = (await readHold(parts, holdId, readWithinMs)) ?? known;
  if (now === undefined) throw new EngineUnavailableError('NOT_FOUND'); // begun, and cannot be read
  return now;
}

/** The hold as recorded, checked where its workflow may be gone (F16). */
async function readHold(
  parts: Parts,
  holdId: string,
  withinMs = callWithinMs,
): Promise<HoldView | undefined> {
  const hold = await readRecordedHold(parts, holdId, withinMs);
  return hold === undefined ? undefined : checkedHold(parts, hold);
}

/** Reads it from its workflow, or from its row where the workflow is gone or does not answer. */
async function readRecordedHold(
  { client, store }: Parts,
  holdId: string,
  withinMs: number,
): Promise<HoldView | undefined> {
  const query = { workflowId: holdWorkflowId(holdId), name: holdQuery };
  try {
    const seen = await queryTemporal<HoldView>(client, withinMs, query);
    return seen === undefined ? (await store.read(holdId))?.view : rfc3339Times(seen);
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error;
    const row = await store.read(holdId).catch(() => undefined);
    if (row === undefined) throw error;
    return row.view;
  }
}

async function sendHoldCommand(
  parts: Parts,
  holdId: string,
  command: HoldCommandRequest,
): Promise<HoldCommandAnswer> {
  const { client, store } = parts;
  const answerBy = Date.now() + answerWithinMs - readWithinMs;
  const known = await readHold(parts, holdId);
  if (known === undefined) return { kind: 'no-hold' };
  if (isWithoutWorkflow(known)) return answerGone(parts, known, command);
  const other =
    command.name === 'change' &&
    (await store.findOverlapping(known.carId, requestedPeriod(known, command), holdId));
  if (other) return { kind: 'overlaps', other };
  const update = { name: updates[command.name], input: command.input };
  const withinMs = answerBy - Date.now();
  try {
    const answer = await sendUpdateTo<HoldCommandResult, HoldRefusal>(
      client,
      withinMs,
      holdWorkflowId(holdId),
      update,
    );
    if (answer.kind === 'refused') return answer;
    if (answer.kind === 'not-open') return answerEnded(parts, known, command);
    const hold = withoutMark(answer.result.hold);
    return answer.result.command.outcome === 'out'
      ? { kind: 'pending', hold }
      : { kind: 'answered', command: answer.result.command, hold };
  } catch (error) {
    if (error instanceof EngineUnavailableError) return pendingIfAccepted(parts, holdId, command, error);
    throw error;
  }
}

/** No answer came in time, yet the hold may have accepted the request. @throws the given error where it has not */
async function pendingIfAccepted(
  { client }: Parts,
  holdId: string,
  { name, input }: HoldCommandRequest,
  error: EngineUnavailableError,
): Promise<HoldCommandAnswer> {
  const query = { workflowId: holdWorkflowId(holdId), name: holdQuery };
  const now = await queryTemporal<HoldView>(client, readWithinMs, query).catch(() => undefined);
  const standing = now === undefined ? 'new' : standingAmong(now.commands, name, input);
  if (now === undefined || standing === 'new') throw error;
  if (standing === 'other') return { kind: 'refused', refusal: keyReused() };
  return { kind: 'pending', hold: withoutMark(now) };
}

function requestedPeriod({ period }: HoldView, { input }: HoldCommandRequest & { name: 'change' }): Period {
  return { start: input.start ?? Date.parse(period.start), end: input.end ?? Date.parse(period.end) };
}

/** Answers where the workflow ended since the hold was read, or did not answer then. */
async function answerEnded(
  parts: Parts,
  known: HoldView,
  command: HoldCommandRequest,
): Promise<HoldCommandAnswer> {
  const now = known.open ? ((await readHold(parts, known.holdId)) ?? known) : known;
  return isWithoutWorkflow(now) ? answerGone(parts, now, command) : answerClosed(parts, now, command);
}

async function answerGone(
  parts: Parts,
  known: HoldView,
  command: HoldCommandRequest,
): Promise<HoldCommandAnswer> {
  const answer = await resolveWithoutWorkflow(parts, known, command);
  if (answer.kind === 'refused') return answer;
  if (answer.kind === 'answered') return { ...answer, hold: withoutMark(answer.hold) };
  const row = await parts.store.read(known.holdId);
  return answerClosed(parts, row?.view ?? known, command);
}

/** A hold whose workflow has ended accepts no request, and still answers one that it knows (F09, F11). */
function answerClosed(
  { zoneOffsetMinutes }: Parts,
  known: HoldView,
  { name, input }: HoldCommandRequest,
): HoldCommandAnswer {
  const same = known.commands.find(({ commandId }) => commandId === input.commandId);
  const standing = standingAmong(known.commands, name, input);
  if (standing === 'other') return { kind: 'refused', refusal: keyReused() };
  if (same !== undefined) return { kind: 'answered', command: same, hold: withoutMark(known) };
  if (known.open) return { kind: 'refused', refusal: workflowGone(known.holdId) };
  const refusal =
    name === 'change'
      ? changeOfOver(Date.parse(known.period.end), Date.now(), zoneOffsetMinutes)
      : ({ code: 'HOLD_OVER', message: message('hold.is-over', {}) } as const);
  return { kind: 'refused', refusal };
}

function withoutMark({ mark: _, commands, ...hold }: HoldView): KnownHold {
  return { ...hold, commands: commands.map(({ mark: __, ...command }) => command) };
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, CommandView } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import type { TrapPoint } from '../support/crash/messages.js';
import { startTrappedWorker } from '../support/crash/started-worker.js';
import type { WorkerProcess } from '../support/crash/worker-process.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

/**
 * The worker's process is killed (SIGKILL) while each of the eight commands is before its request, between request
 * and answer, and between answer and the activity's completion: 24 reservations, one kill, one new worker. The fast lane
 * has three commands: one that changes the status, one that nothing reports, one that a callback reports. Engine,
 * sandbox, receiver, relay, API and database are the product's own, and the sandbox's journal is the judge.
 */
type Point = TrapPoint | 'platform-acted';
const points: Point[] = ['before-request', 'platform-acted', 'after-answer'];

interface Step {
  action: Action;
  operation: string;
  /** The status of the reservation when the action is sent, and the status that follows; null: it changes no status. */
  from: number;
  to: number | null;
}
const everyStep: Step[] = [
  { action: 'dispatch.staff', operation: 'dispatchStaff', from: 5, to: null },
  { action: 'dispatch.start', operation: 'dispatchStart', from: 5, to: 10 },
  { action: 'dispatch.parkingImage', operation: 'dispatchParkingImage', from: 10, to: null },
  { action: 'dispatch.carImage', operation: 'dispatchCarImage', from: 10, to: null },
  { action: 'dispatch.complete', operation: 'dispatchComplete', from: 10, to: 15 },
  { action: 'recall.staff', operation: 'recallStaff', from: 20, to: null },
  { action: 'recall.carImage', operation: 'recallCarImage', from: 30, to: null },
  { action: 'recall.complete', operation: 'recallComplete', from: 30, to: 35 },
];
const fast = ['dispatch.staff', 'dispatch.start', 'dispatch.parkingImage'];
const steps = everyStep.filter(
  ({ action }) => process.env.HANDOVER_TEST_LONG === '1' || fast.includes(action),
);

interface SentAction extends Step {
  point: Point;
  id: number;
  commandId: string;
}
const sentActions: SentAction[] = [];
const sentAt = (point: Point, action: Action): SentAction => {
  const found = sentActions.find((sent) => sent.point === point && sent.action === action);
  if (found === undefined) throw new Error(`${action} was not sent`);
  return found;
};

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let worker: WorkerProcess;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database);
  sentActions.push(
    ...(await Promise.all(points.flatMap((point) => steps.map((step) => prepared(point, step))))),
  );
  const idsAt = (point: Point) => sentActions.filter((sent) => sent.point === point).map(({ id }) => id);
  worker = await startTrappedWorker(parts, database, {
    traps: {
      'before-request': idsAt('before-request'),
      'after-answer': idsAt('after-answer'),
    },
  });
  await Promise.all(sentActions.map(({ id, from }) => shows(id, from)));
  await loseAnswersAndCallbacksOf(sentActions.filter(({ point }) => point === 'platform-acted'));

  const answers = sentActions.map(({ id, action, commandId }) => parts.sendAction(id, action, commandId));
  // an activity gives up by itself after 11 s
  await eventually('every command is where the worker dies', isEverythingTrapped, 10_500, 100);
  await worker.kill();
  worker = await startTrappedWorker(parts, database);
  // its end is not known yet: the answer states this, or that no worker answers
  for (const { status } of await Promise.all(answers)) expect([202, 503]).toContain(status);
}, 150_000);
afterAll(async () => {
  await worker?.kill();
  await parts?.stop();
  await database?.close();
}, 60_000);

/** A reservation with the status that the action needs, set on the web site. */
async function prepared(point: Point, step: Step): Promise<SentAction> {
  const { booked, command, customer } = parts.platform;
  const id = await booked();
  if (step.from >= 10) await command('PUT', id, 'dispatch/start');
  if (step.from >= 15) await command('PUT', id, 'dispatch/complete');
  if (step.from >= 20) await customer(id, 'start-use');
  if (step.from >= 30) await customer(id, 'return');
  return { ...step, point, id, commandId: `${point}-${step.operation}` };
}

/** The platform acts and does not answer, and no callback reports it. */
async function loseAnswersAndCallbacksOf(lost: SentAction[]): Promise<void> {
  const { status } = await parts.platform.control('PUT', '/faults', {
    calls: lost.map(({ operation, id }) => ({
      operation,
      reservationId: id,
      effect: { kind: 'hang', applied: true },
    })),
    callbacks: lost.map(({ id }) => ({
      event: '*',
      reservationId: id,
      times: 100,
      effect: { kind: 'drop' },
    })),
  });
  expect(status).toBe(200);
}

async function isEverythingTrapped(): Promise<boolean> {
  const { body } = await parts.platform.control('GET', '/faults');
  return (
    worker.at('before-request').length === steps.length &&
    worker.at('after-answer').length === steps.length &&
    body.calls.every(({ hits }: { hits: number }) => hits === 1) &&
    (await Promise.all(sentActions.filter(({ point }) => point === 'platform-acted').map(hasActed))).every(
      Boolean,
    )
  );
}

async function hasActed({ operation, id, to }: SentAction): Promise<boolean> {
  const truth = await parts.platform.truth(id);
  if (to !== null) return truth.reservationStatus === to;
  if (operation.endsWith('Staff')) return truth[operation] !== null;
  return truth.photos.some(({ step }: { step: string }) => step === operation);
}

const shows = (id: number, status: number) =>
  eventually(
    `reservation ${id} is at ${status}`,
    async () => (await parts.view(id))?.status.code === status,
    60_000,
    200,
  );

async function commandOf({ id, commandId }: SentAction): Promise<CommandView | undefined> {
  return (await parts.view(id))?.commands.find((one) => one.commandId === commandId);
}

/** The command once its story is over: what it may end with is waited for, what it must be is compared. */
async function ended(sent: SentAction, isOver: (command: CommandView) => boolean): Promise<CommandView> {
  return eventually(
    `${sent.action}, killed ${sent.point}, is settled`,
    async () => {
      const command = await commandOf(sent);
      return command !== undefined && isOver(command) ? command : undefined;
    },
    40_000,
    200,
  );
}
const isUnknown = ({ outcome }: CommandView) => outcome === 'unknown';
const isApplied = ({ outcome }: CommandView) => outcome === 'applied';

/** What reached the platform for this command: the effect of each request, in order. */
async function requestsOf({ operation, id }: SentAction): Promise<string[]> {
  const { body } = await parts.platform.control(
    'GET',
    `/journal?reservationId=${id}&operation=${operation}&kind=request`,
  );
  return body.items.map(({ effect }: { effect: string }) => effect);
}

const moving = steps.filter(({ to }) => to !== null).map(({ action }) => action);
const once = steps.filter(({ to }) => to === null).map(({ action }) => action);

describe('killed before the request: the platform never received it', () => {
  it.each(moving)('L24, L30: %s is sent again, once, and acts once', async (action) => {
    const sent = sentAt('before-request', action);
    expect(await ended(sent, isApplied)).toMatchObject({ attempts: 2 });
    expect(await requestsOf(sent)).toEqual(['applied']);
  });

  it.each(once)('L25: %s is not sent by itself: it stays unknown', async (action) => {
    const sent = sentAt('before-request', action);
    expect(await ended(sent, isUnknown)).toMatchObject({ attempts: 1, code: 'TIMEOUT' });
    expect(await requestsOf(sent)).toEqual([]);
  });
});

describe('killed between request and answer, without a callback', () => {
  it.each(moving)('L24, L30: %s is sent again, acts no second time, and is unknown', async (action) => {
    const sent = sentAt('platform-acted', action);
    const command = await ended(sent, ({ code }) => code === 'ILLEGAL_STATE');
    expect(command).toMatchObject({ outcome: 'unknown', attempts: 2 });
    expect(await requestsOf(sent)).toEqual(['fault:hang+applied', 'refused:ILLEGAL_STATE']);
    await parts.platform.control('POST', '/callbacks', {
      kind: 'status',
      body: { reservationId: sent.id, reservationStatus: sent.to },
    });
    expect(await ended(sent, isApplied)).toMatchObject({ settledBy: 'callback', attempts: 2 });
  });

  it.each(once)('L25: %s is not sent a second time: it stays unknown', async (action) => {
    const sent = sentAt('platform-acted', action);
    expect(await ended(sent, isUnknown)).toMatchObject({ attempts: 1, code: 'TIMEOUT' });
    expect(await requestsOf(sent)).toEqual(['fault:hang+applied']);
  });
});

describe('killed between the answer and its record, with a callback', () => {
  it.each([...moving, 'dispatch.parkingImage'] as Action[])(
    'L24: the callback resolves %s',
    async (action) => {
      const sent = sentAt('after-answer', action);
      expect(await ended(sent, isApplied)).toMatchObject({ settledBy: 'callback', attempts: 1 });
      expect(await requestsOf(sent)).toEqual(['applied']);
    },
  );

  it.each(once.filter((action) => action !== 'dispatch.parkingImage'))(
    'L24, L25: %s, which no callback reports, stays unknown until a person resolves it',
    async (action) => {
      const sent = sentAt('after-answer', action);
      expect(await ended(sent, isUnknown)).toMatchObject({ attempts: 1, code: 'TIMEOUT' });
      await parts.ask('POST', `/api/reservations/${sent.id}/commands/${sent.commandId}/resolve`, {
        key: `settles-${sent.commandId}`,
        json: { outcome: 'applied', reason: 'seen on the web site' },
      });
      expect(await commandOf(sent)).toMatchObject({ outcome: 'applied', settledBy: 'person' });
      expect(await requestsOf(sent)).toEqual(['applied']);
    },
  );
});

it('L21: no attempt acted twice, and an action under the same id sends nothing more', async () => {
  const before = await Promise.all(sentActions.map(requestsOf));
  const acted = before.map((effects) => effects.filter((effect) => effect.includes('applied')).length);
  expect(acted.every((times) => times <= 1)).toBe(true);
  await Promise.all(sentActions.map(({ id, action, commandId }) => parts.sendAction(id, action, commandId)));
  expect(await Promise.all(sentActions.map(requestsOf))).toEqual(before);
});

it('every callback has its verdict, and the timelines have no gap', async () => {
  for (const { id } of sentActions) {
    const { body } = await parts.ask('GET', `/api/reservations/${id}/timeline?limit=500`);
    const seqs = body.items.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.map((_: number, index: number) => index + 1));
  }
  await eventually('every inbox row is judged', async () => {
    const { body } = await parts.ask('GET', '/api/inbox?limit=500');
    return body.items.every(({ state }: { state: string }) => state === 'done');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { message } from '../../src/store/alerts/messages/message.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import {
  car,
  company,
  hour,
  reservationWorker,
  skippingEarlierSteps,
  type TestReservation,
} from '../support/reservations.js';
import { GuardedPlatform } from '../support/suspended-role.js';

/** What an operator does with `temporal workflow reset`: on a real server, over the product's own activities. */
let server: TestDevServer;
let platform: GuardedPlatform;
beforeAll(async () => {
  server = await devServer();
  platform = new GuardedPlatform(server.client, { probeMs: 500, historyEventsPerRun: 4_000 });
}, 60_000);
afterAll(() => server?.stop());

const updates = 2;

/** To the first workflow task. @param exclude event types that are not applied again */
async function reset({ handle }: TestReservation, exclude: number[] = []): Promise<string> {
  const { client } = server;
  const { events } = await handle.fetchHistory();
  const first = events?.find(({ workflowTaskCompletedEventAttributes: task }) => task);
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: server.namespace,
    workflowExecution: { workflowId: handle.workflowId },
    requestId: randomUUID(),
    reason: 'a test',
    workflowTaskFinishEventId: first?.eventId ?? null,
    resetReapplyExcludeTypes: exclude,
  });
  return runId ?? '';
}

async function moved(rental: TestReservation) {
  const now = Date.now();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  await rental.deliver(rental.event({ status: 5, period, car, company }));
  await rental.sendAction('dispatch.staff', { commandId: 'staff' });
  await rental.sendAction('dispatch.start', { ...skippingEarlierSteps, commandId: 'start' });
}
const sentFor = ({ id }: TestReservation) =>
  platform.commands.filter((call) => call.reservationId === id).map(({ operation }) => operation);

it('L24: actions that a reset applies again are not sent again, and wait for evidence', async () => {
  const { whileRunning, reservation } = await reservationWorker(server, platform);
  const rental = reservation();
  await whileRunning(async () => {
    await moved(rental);
    const sent = sentFor(rental);
    expect(sent).toEqual(['dispatchStaff', 'dispatchStart']);
    await reset(rental);
    const { commands } = await eventually('both have an outcome or wait for evidence', async () => {
      const view = await rental.view();
      return view.commands.length === 2 && view.commands.every(({ code }) => code === 'RUN_LOST')
        ? view
        : undefined;
    });
    expect(commands.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    const period = { start: Date.now() + 2 * hour, end: Date.now() + 12 * hour };
    await rental.deliver(rental.event({ status: 10, period, car, company }));
    const start = (await rental.view()).commands.find(({ commandId }) => commandId === 'start');
    expect(start).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
    expect(sentFor(rental)).toEqual(sent);
    expect((await rental.sendAction('dispatch.parkingImage', skippingEarlierSteps)).command.outcome).toBe(
      'applied',
    );
  });
});

/** What holds an action back before it is recorded, and the end of that. */
const obstacles = {
  ATTEMPT_NOT_RECORDED: {
    begin: async () => {
      platform.sent.isAway = true;
    },
    end: () => {
      platform.sent.isAway = false;
    },
  },
  ROLE_SUSPENDED: {
    begin: async () => {
      platform.refusal = ({ operation }) => (operation.startsWith('list') ? 'UNAUTHORIZED' : undefined);
      const text = message('alert.role-suspended', { role: 'supplier', code: 'UNAUTHORIZED', reads: false });
      const subject = { kind: 'role-suspended', subject: 'supplier' } as const;
      await platform.alerts.raise({ ...subject, message: text, at: Date.now() });
      platform.gate.forget();
    },
    end: () => {
      platform.refusal = () => undefined;
    },
  },
  PHOTO_STORE_UNAVAILABLE: {
    begin: async () => {
      platform.readPhoto = () => Promise.reject(new Error('away'));
    },
    end: () => {
      platform.readPhoto = async () => new Uint8Array(8);
    },
  },
};

it.each(Object.entries(obstacles))(
  'L24: a photo that the run before the reset sent, and that is held back by %s now, is not sent again afterwards',
  async (code, obstacle) => {
    const { whileRunning, reservation } = await reservationWorker(server, platform);
    const rental = reservation();
    await whileRunning(async () => {
      const period = { start: Date.now() + 2 * hour, end: Date.now() + 12 * hour };
      await rental.deliver(rental.event({ status: 5, period, car, company }));
      await rental.sendAction('dispatch.carImage', skippingEarlierSteps);
      const photo = async () => (await rental.view()).commands[0];
      expect(await photo()).toMatchObject({ outcome: 'applied' });
      await obstacle.begin();
      await reset(rental);
      await eventually('it is held back', async () => (await photo())?.code === code, 10_000);
      obstacle.end();
      await eventually('it is tried again', async () => (await photo())?.code === 'RUN_LOST', 20_000);
      expect(await photo()).toMatchObject({ outcome: 'unknown' });
      expect(sentFor(rental)).toEqual(['dispatchCarImage']);
    });
    await platform.endRole('supplier');
  },
  60_000,
);

it('a reset without its updates sends nothing, and the same keys act again', async () => {
  const { whileRunning, reservation } = await reservationWorker(server, platform);
  const rental = reservation();
  await whileRunning(async () => {
    await moved(rental);
    const sent = sentFor(rental);
    await reset(rental, [updates]);
    expect((await rental.view()).commands).toEqual([]);
    const again = await rental.sendAction('dispatch.staff', { commandId: 'staff' });
    expect(again.command).toMatchObject({ outcome: 'unknown', code: 'RUN_LOST' });
    expect((await rental.sendAction('dispatch.staff', { commandId: 'another' })).command.outcome).toBe(
      'applied',
    );
    expect(sentFor(rental)).toEqual([...sent, 'dispatchStaff']);
  });
});

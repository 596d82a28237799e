import { type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HoldView, holdFacts, holdView } from '../../src/domain/hold/index.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createAudit } from '../../src/store/audit.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createHoldCloser } from '../../src/store/holds/close.js';
import { createHoldRecorder, createHoldStore } from '../../src/store/holds/store.js';
import { temporalHolds } from '../../src/temporal/client/holds/holds.js';
import { HoldWatch } from '../../src/temporal/client/holds/watch.js';
import { onOneDatabase } from '../support/database.js';
import { HoldWorld } from '../support/hold-world.js';
import { sealer } from '../support/intake.js';
import { inEnglish } from '../support/sentences.js';

type Status = 'RUNNING' | 'COMPLETED' | 'TERMINATED' | 'FAILED' | 'forgotten';
const endedAt = Date.parse('2026-11-21T05:00:00Z');
const hour = 3_600_000;

onOneDatabase('a hold whose workflow is gone', (lane) => {
  let database: HandoverDatabase;
  let count = 0;
  let holdId: string;
  const workflows = new Map<string, { status: Status; view: HoldView; endsAs?: Status }>();

  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  /** The run ended while its handler of an accepted update was under way. */
  const endedMeanwhile = ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' });

  /** Temporal: a workflow answers a query also when it has ended, until it is forgotten. */
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle(workflowId: string) {
        const notFound = () => new WorkflowNotFoundError('not found', workflowId, undefined);
        const found = () => {
          const one = workflows.get(workflowId);
          if (one === undefined || one.status === 'forgotten') throw notFound();
          return one;
        };
        return {
          query: async () => found().view,
          describe: async () => ({ status: { name: found().status }, closeTime: new Date(endedAt) }),
          executeUpdate: async () => {
            if (found().status !== 'RUNNING') throw notFound();
            const { endsAs } = found();
            if (endsAs !== undefined) {
              found().status = endsAs;
              throw new WorkflowUpdateFailedError('', endedMeanwhile);
            }
            return { command: { outcome: 'applied' }, hold: found().view };
          },
        };
      },
    },
  } as unknown as Client;

  const alerts = () => createAlerts(database.db, { sealer, post: false });
  const openAlerts = async () =>
    (await alerts().list({ state: 'open', limit: 100 })).items
      .filter(({ subject }) => subject === holdId)
      .map(({ kind }) => kind);
  const parts = () => ({
    store: createHoldStore(database.db, sealer),
    close: createHoldCloser(database.db, { sealer, alerts: alerts() }),
    zoneOffsetMinutes: 540,
    historyEventsPerRun: 1_000,
  });
  const holds = () => temporalHolds(client, parts());
  const watch = () => new HoldWatch({ db: database.db, client, alerts: alerts() });
  const workflowOf = () => {
    const workflow = workflows.get(`hold-${holdId}`);
    if (workflow === undefined) throw new Error('no workflow');
    return workflow;
  };
  const become = (status: Status) => {
    workflowOf().status = status;
  };
  const resolve = (commandId = 'resolve-1') =>
    holds().sendCommand(holdId, {
      name: 'resolve',
      input: { commandId, by: 'mia', reason: 'PERSONAL: removed by hand' },
    });

  /** A hold of a car of its own, which has begun and is recorded with all that it placed. */
  beforeEach(async () => {
    count += 1;
    for (const one of workflows.values()) one.status = 'COMPLETED';
    holdId = `gone-${count}`;
    const world = new HoldWorld({ holdId, carId: 1000 + count });
    world.run(world.now + hour);
    const { state, now: at } = world;
    const view = holdView(state, at);
    workflows.set(`hold-${holdId}`, { status: 'RUNNING', view });
    const record = createHoldRecorder(database.db, { sealer, alerts: alerts() });
    await record({ at, facts: holdFacts(state, at), view, audit: state.audit });
  });

  it.each<Status>(['TERMINATED', 'FAILED', 'forgotten'])(
    'F16: %s, it names what is in place, and only its resolving is accepted',
    async (status) => {
      become(status);
      const view = await holds().view(holdId);
      expect(view).toMatchObject({ state: 'attention', open: true });
      const [item] = view?.attention ?? [];
      expect(item).toMatchObject({ kind: 'workflow-gone', code: 'HOLD_WORKFLOW_GONE' });
      expect(item?.left).toEqual(['schedule/501', 'memo/1', 'product/301', 'product/303']);
      expect(item && inEnglish(item.message)).toContain(`[hold ${holdId}]`);
      if (status !== 'forgotten') expect(item?.since).toBe('2026-11-21T14:00:00.000+09:00');
      const input = { commandId: 'k', by: 'kim' };
      for (const command of [
        { name: 'change', input: { ...input, end: Date.now() + hour } },
        { name: 'release', input: { ...input, reason: null } },
      ] as const) {
        const answer = await holds().sendCommand(holdId, command);
        expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'HOLD_WORKFLOW_GONE' } });
      }
    },
  );

  it('F16: terminated while it handles a request, the request is refused as that of a hold without its workflow', async () => {
    for (const command of [
      { name: 'change', input: { commandId: 'k', by: 'kim', end: Date.now() + hour } },
      { name: 'release', input: { commandId: 'k', by: 'kim', reason: null } },
    ] as const) {
      Object.assign(workflowOf(), { status: 'RUNNING', endsAs: 'TERMINATED' });
      const answer = await holds().sendCommand(holdId, command);
      expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'HOLD_WORKFLOW_GONE' } });
    }
    Object.assign(workflowOf(), { status: 'RUNNING', endsAs: 'TERMINATED' });
    expect(await resolve()).toMatchObject({ kind: 'answered', hold: { state: 'resolved' } });
  });

  it.each<Status>(['TERMINATED', 'forgotten'])(
    'F13: %s, a manager closes it, and its period is free',
    async (status) => {
      become(status);
      const { store } = parts();
      const known = await holds().view(holdId);
      const carId = known?.carId ?? 0;
      const period = {
        start: Date.parse(known?.period.start ?? ''),
        end: Date.parse(known?.period.end ?? ''),
      };
      expect(await store.findOverlapping(carId, period, 'other')).toMatchObject({ holdId });
      const answer = await resolve();
      expect(answer).toMatchObject({
        kind: 'answered',
        command: { commandId: 'resolve-1', action: 'resolve', outcome: 'applied' },
        hold: {
          state: 'resolved',
          open: false,
          attention: [{ left: expect.arrayContaining(['schedule/501']) }],
        },
      });
      expect(answer).not.toHaveProperty('hold.mark');
      expect(await store.findOverlapping(carId, period, 'other')).toBeUndefined();
      // also while Temporal still answers with the workflow that was ended
      expect(await holds().view(holdId)).toMatchObject({ state: 'resolved', open: false });
      const release = { name: 'release', input: { commandId: 'k', by: 'kim', reason: null } } as const;
      expect(await holds().sendCommand(holdId, release)).toMatchObject({ refusal: { code: 'HOLD_OVER' } });
    },
  );

  it('F13: the same key closes the hold once, with one audit entry; another key finds it over', async () => {
    become('TERMINATED');
    const first = await resolve();
    expect(await resolve()).toEqual(first);
    expect(await resolve('resolve-2')).toMatchObject({ kind: 'refused', refusal: { code: 'HOLD_OVER' } });
    const subject = `hold/${holdId}`;
    const { items } = await createAudit(database.db, sealer).list({
      subject,
      action: 'hold.resolve',
      limit: 10,
    });
    expect(items).toMatchObject([
      {
        by: 'mia',
        reason: 'PERSONAL: removed by hand',
        data: { code: 'HOLD_WORKFLOW_GONE', left: 'schedule/501 memo/1 product/301 product/303' },
      },
    ]);
    expect(JSON.stringify(items.map(({ data }) => data))).not.toContain('PERSONAL');
  });

  it('F13: two managers at the same time close the hold once', async () => {
    become('forgotten');
    const answers = await Promise.all([resolve('a'), resolve('b')]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['answered', 'refused']);
    const { items } = await createAudit(database.db, sealer).list({ subject: `hold/${holdId}`, limit: 10 });
    expect(items.filter(({ action }) => action === 'hold.resolve')).toHaveLength(1);
  });

  it('F13: a process whose clock is behind the last writer closes the hold too', async () => {
    const ahead = new HoldWorld({ holdId, carId: 1000 + count });
    ahead.run(ahead.now + hour);
    const at = Date.now() + hour;
    const record = createHoldRecorder(database.db, { sealer, alerts: alerts() });
    await record({ at, facts: holdFacts(ahead.state, at), view: holdView(ahead.state, at), audit: [] });
    become('forgotten');
    expect(await resolve()).toMatchObject({ kind: 'answered', hold: { state: 'resolved' } });
    expect(await holds().view(holdId)).toMatchObject({ state: 'resolved' });
  });

  it('F16: the watch raises hold-stuck, and its resolving clears it', async () => {
    expect(await watch().check(Date.now())).toBe(0);
    expect(await openAlerts()).toEqual([]);
    become('forgotten');
    expect(await watch().check(Date.now())).toBe(1);
    expect(await watch().check(Date.now())).toBe(1);
    expect(await openAlerts()).toEqual(['hold-stuck']);
    await resolve();
    expect(await openAlerts()).toEqual([]);
    expect(await watch().check(Date.now())).toBe(0);
  });

  it('F16: the watch clears hold-stuck where the workflow was reset or the hold was closed, and nowhere else', async () => {
    become('TERMINATED');
    await watch().check(Date.now());
    expect(await openAlerts()).toEqual(['hold-stuck']);
    become('RUNNING');
    await watch().check(Date.now());
    expect(await openAlerts()).toEqual([]);
    become('TERMINATED');
    await resolve();
    await alerts().raise({ kind: 'hold-stuck', subject: holdId, message: 'left behind', at: Date.now() });
    await watch().check(Date.now());
    expect(await openAlerts()).toEqual([]);
  });

  it('F12: a hold that is stuck and runs stays in its alert', async () => {
    const world = new HoldWorld({ holdId, carId: 1000 + count });
    world.run(world.now + hour);
    const at = Date.now();
    const facts = { ...holdFacts(world.state, at), attention: ['entry' as const] };
    const record = createHoldRecorder(database.db, { sealer, alerts: alerts() });
    await record({ at, facts, view: holdView(world.state, at), audit: [] });
    await watch().check(Date.now());
    expect(await openAlerts()).toEqual(['hold-stuck']);
  });

  it('a hold whose workflow runs or completed is shown as the workflow reports it', async () => {
    for (const status of ['RUNNING', 'COMPLETED'] as const) {
      become(status);
      expect(await holds().view(holdId)).toMatchObject({ state: 'active', attention: [] });
    }
  });
});

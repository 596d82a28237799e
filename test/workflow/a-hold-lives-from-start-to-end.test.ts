import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HoldRequest } from '../../src/domain/hold/index.js';
import { timeSkippingEnv } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { holdWorker, type TestHold } from '../support/holds.js';
import { day, hour, refusalOf } from '../support/reservations.js';
import { read } from '../support/sentences.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

const carId = 1001;
interface Played {
  hold: TestHold;
  platform: FakePlatform;
  start: number;
  end: number;
}

/** A hold of a month that starts in a week, of a car in three products. */
async function planned(
  play: (played: Played) => Promise<void>,
  changes: Partial<HoldRequest> = {},
  more: { historyEventsPerRun?: number; startsIn?: number } = {},
): Promise<void> {
  const platform = new FakePlatform();
  for (const [product, saleYn] of [
    [301, 'Y'],
    [302, 'N'],
    [303, 'Y'],
  ] as const)
    platform.cars.sale.set(`${product}/${carId}`, saleYn);
  platform.cars.sale.set('304/7', 'Y');
  const { whileRunning, hold: make } = await holdWorker(env, platform);
  const now = Math.floor((await env.currentTimeMs()) / 1_000) * 1_000;
  const start = now + (more.startsIn ?? 7 * day);
  const end = start + 30 * day;
  const hold = make({
    holdId: randomUUID(),
    carId,
    period: { start, end },
    reason: 'maintenance',
    withdrawFromSale: true,
    reservationId: null,
    by: 'kim',
    mark: 'mark',
    ...changes,
  });
  await whileRunning(async () => {
    await hold.start(
      more.historyEventsPerRun === undefined ? {} : { historyEventsPerRun: more.historyEventsPerRun },
    );
    await play({ hold, platform, start, end });
  });
}

const saleOf = ({ cars }: FakePlatform) =>
  [301, 302, 303].map((product) => cars.sale.get(`${product}/${carId}`)).join('');
const until = async (instant: number) => env.sleep(Math.max(instant - (await env.currentTimeMs()), 1));

describe('a hold of a month that starts in a week', () => {
  it('F03, F04, F10: a hold is placed at once, withdraws the car from sale at its start, restores the sale status at its end, and ends', () =>
    planned(async ({ hold, platform, start, end }) => {
      expect(await hold.settled()).toMatchObject({ state: 'planned', memoId: 1 });
      expect(platform.schedules.entries).toMatchObject([{ carId, type: 'S', start, end }]);
      expect(platform.cars.memos[0]?.content).toContain(`[hold ${hold.request.holdId}] maintenance`);
      expect(saleOf(platform)).toBe('YNY');
      await until(start + hour);
      expect(await hold.view()).toMatchObject({ state: 'active' });
      expect(saleOf(platform)).toBe('NNN');
      // a person puts it back on sale in one product
      platform.cars.sale.set(`303/${carId}`, 'Y');
      await until(end + hour);
      await hold.handle.result();
      expect(saleOf(platform)).toBe('YNY');
      const last = platform.schedules.records.at(-1);
      expect(last?.facts).toMatchObject({ state: 'ended', open: false, attention: [] });
      expect(last?.view.sale).toEqual([
        { productId: 301, state: 'restored' },
        { productId: 302, state: 'was-off' },
        { productId: 303, state: 'changed' },
      ]);
      const audited = platform.schedules.records.flatMap(({ audit }) => audit.map(({ action }) => action));
      expect(audited).toEqual([
        'hold.create',
        'sale-status.withdraw',
        'sale-status.withdraw',
        'sale-status.restore',
        'hold.end',
      ]);
    }));

  it('F05: an extended hold finds the products that got the car since; F11: repeated commands act once', () =>
    planned(async ({ hold, platform, start, end }) => {
      await hold.settled();
      await until(start + hour);
      platform.cars.sale.set(`305/${carId}`, 'Y');
      const later = end + 5 * day;
      const extension = { commandId: 'extend-1', end: later };
      expect(await hold.change(extension)).toMatchObject({ command: { outcome: 'applied' } });
      expect(await hold.change(extension)).toMatchObject({ command: { outcome: 'applied' } });
      expect(platform.schedules.calls.filter((call) => call === 'changeSchedule')).toHaveLength(1);
      expect(await refusalOf(hold.change({ ...extension, end: later + day }))).toMatchObject({
        code: 'COMMAND_ID_REUSED',
      });
      expect(await refusalOf(hold.change({ start: start + day }))).toMatchObject({ code: 'HOLD_BEGUN' });
      await hold.settled();
      expect(platform.cars.sale.get(`305/${carId}`)).toBe('N');
      await until(end + hour);
      expect(await hold.view()).toMatchObject({ state: 'active' });
      await until(later + hour);
      await hold.handle.result();
      expect(platform.cars.sale.get(`305/${carId}`)).toBe('Y');
      expect(platform.schedules.entries).toMatchObject([{ start, end: later }]);
    }));

  it('F10: the entry of a hold released before its start is deleted; after the start, it ends at the release', async () => {
    await planned(async ({ hold, platform }) => {
      await hold.settled();
      expect(await hold.release()).toMatchObject({ hold: { state: 'released' } });
      await hold.handle.result();
      expect(platform.schedules.entries).toEqual([]);
    });
    await planned(async ({ hold, platform, start }) => {
      await hold.settled();
      await until(start + hour);
      await hold.release();
      await hold.handle.result();
      const [entry] = platform.schedules.entries;
      expect(entry).toMatchObject({ start });
      expect((entry?.end ?? 0) - start).toBeLessThan(2 * hour);
      expect(saleOf(platform)).toBe('YNY');
    });
  });

  it('a hold continues over continue-as-new at every step', () =>
    planned(
      async ({ hold, platform, start, end }) => {
        await hold.settled();
        await until(start + hour);
        expect(saleOf(platform)).toBe('NNN');
        await hold.change({ commandId: 'extend-1', end: end + day });
        await until(end + day + hour);
        await hold.handle.result();
        expect(saleOf(platform)).toBe('YNY');
        expect(platform.cars.memos).toHaveLength(1);
        expect(platform.schedules.entries).toHaveLength(1);
      },
      {},
      { historyEventsPerRun: 1 },
    ));
});

describe('compensation', () => {
  it('F12, F13: a sale status that cannot be restored is shown, and a manager resolves the hold', () =>
    planned(
      async ({ hold, platform }) => {
        await hold.settled();
        await until((await env.currentTimeMs()) + hour);
        const refused = { kind: 'refused', code: 'REFUSED', message: 'no' } as const;
        platform.cars.writes.push(...Array(200).fill(refused));
        await hold.startRelease();
        await until((await env.currentTimeMs()) + hour);
        expect(await hold.view()).toMatchObject({
          state: 'attention',
          attention: [{ kind: 'sale-not-restored', code: 'REFUSED', left: ['product/301', 'product/303'] }],
        });
        expect(platform.schedules.records.at(-1)?.facts.attention).toEqual(['sale-not-restored']);
        await hold.resolve({ reason: 'put back on sale by hand' });
        await hold.handle.result();
        expect(platform.schedules.records.at(-1)?.facts).toMatchObject({ state: 'resolved', open: false });
      },
      {},
      { startsIn: 0 },
    ));

  it.each([
    ['cannot be read', true],
    ['is not answered', false],
  ])('F12: a list of products that %s raises an alert within minutes', (_, isRead) =>
    planned(
      async ({ hold, platform }) => {
        const why = 'listProducts: the answer does not fit the wire profile: body: expected array (G21)';
        platform.schedules.unreadable = isRead ? why : undefined;
        platform.schedules.isSilent = !isRead;
        await until((await env.currentTimeMs()) + 2 * 60_000);
        const view = await hold.view();
        expect(view).toMatchObject({ state: 'attention', attention: [{ kind: 'sale-not-withdrawn' }] });
        expect(read(view).attention[0]?.message).toContain(isRead ? why : 'TIMEOUT');
        expect(platform.schedules.records.at(-1)?.facts.attention).toEqual(['sale-not-withdrawn']);
        platform.schedules.unreadable = undefined;
        platform.schedules.isSilent = false;
        await until((await env.currentTimeMs()) + hour);
        expect(await hold.view()).toMatchObject({ state: 'active', attention: [] });
        expect(saleOf(platform)).toBe('NNN');
      },
      {},
      { startsIn: 0 },
    ),
  );

  it('F06: a hold of an unknown car leaves nothing behind', () =>
    planned(async ({ hold, platform }) => {
      platform.schedules.known = new Set();
      await hold.handle.result();
      expect(await hold.view()).toMatchObject({ state: 'refused', refused: { code: 'NOT_FOUND' } });
      expect(platform.schedules.entries).toEqual([]);
    }));
});

it('F16: while the database is unavailable a hold continues, and ends only once its row is written', () =>
  planned(async ({ hold, platform, end }) => {
    await hold.settled();
    await until(end - hour);
    platform.schedules.database.down = 'refuses';
    await until(end + 2 * 60_000);
    expect(saleOf(platform)).toBe('YNY');
    expect(await hold.view()).toMatchObject({ state: 'ended' });
    expect(await hold.handle.describe()).toMatchObject({ status: { name: 'RUNNING' } });
    platform.schedules.database.end();
    await until(end + hour);
    await hold.handle.result();
    expect(platform.schedules.records.at(-1)).toMatchObject({
      facts: { state: 'ended', open: false },
      audit: expect.arrayContaining([expect.objectContaining({ action: 'hold.end' })]),
    });
  }));

it('a silent database delays no command of a hold: it is answered with its outcome', () =>
  planned(async ({ hold, platform }) => {
    await hold.settled();
    platform.schedules.database.down = 'is silent';
    const { command } = await hold.change({ commandId: 'c-1', end: hold.request.period.end + hour });
    expect(command.outcome).toBe('applied');
    expect(await hold.release({ commandId: 'c-2' })).toMatchObject({ command: { outcome: 'applied' } });
    platform.schedules.database.end();
    await hold.handle.result();
    expect(platform.schedules.records.at(-1)).toMatchObject({ facts: { open: false } });
  }));

it('a request to cancel the workflow does not end a hold', () =>
  planned(async ({ hold, platform, start }) => {
    await hold.settled();
    await hold.handle.cancel();
    await until(start + hour);
    expect(saleOf(platform)).toBe('NNN');
    expect(await hold.release()).toMatchObject({ command: { outcome: 'applied' } });
    await hold.handle.result();
  }));

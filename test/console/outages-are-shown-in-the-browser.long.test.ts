import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { ownDatabase } from '../support/database.js';
import { Line } from '../support/line.js';

/** The board is read every 30 s where nothing changes, and a part that is silent is known from the reading after its probe. */
const within = { timeout: 75_000 };
const gone = { ...within, state: 'detached' } as const;
const hour = 3_600_000;
const staff = { staffName: 'Kim Staff', staffPhone: '01000000001' };

const rowOf = (page: Page, id: number) =>
  page.locator('.board-row', { has: page.locator(`a[href="/r/${id}"]`) });

describe.skipIf(!hasBrowser)(`while Temporal is silent${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let booked: { id: number; plate: string };
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    booked = await world.book(3 * hour);
    await world.ask('PUT', `/api/reservations/${booked.id}/dispatch/staff`, staff);
  }, 240_000);
  afterAll(() => world?.stop());

  it('the board is shown and says since when, a write has no outcome, and all recovers without a reload', async () => {
    const { id, plate } = booked;
    const { page } = await world.open('/');
    const step = rowOf(page, id).getByRole('button', { name: `Start dispatch ${plate}` });
    await step.waitFor(within);
    const engine = world.deployment.enginePid();
    if (engine === undefined) throw new Error('there is no engine');
    process.kill(engine, 'SIGSTOP');
    try {
      // the lists need no Temporal
      const other = (await world.open('/')).page;
      await rowOf(other, id).getByText('Booked').waitFor(within);
      const silent = other.locator('.alerts .mark', { hasText: 'Temporal does not answer' });
      await silent.waitFor(within);
      expect(await silent.textContent()).toMatch(/since \d\d:\d\d/);
      expect(await violationsOf(other)).toEqual([]);
      // one reservation does: an error, never an empty screen
      const closed = (await world.open(`/r/${id}`)).page;
      await closed.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor(within);
      await closed.getByText('ENGINE_UNAVAILABLE').waitFor(within);

      await step.click();
      await rowOf(page, id).getByText('ENGINE_UNAVAILABLE').waitFor(within);
      await rowOf(page, id).getByText('may have been executed').waitFor(within);
      expect(await rowOf(page, id).getByText('Applied').count()).toBe(0);
      await rowOf(page, id).getByText('Booked').waitFor(within);
      process.kill(engine, 'SIGCONT');
      await silent.waitFor(gone);
      // also where no change arrives
      await closed.locator('.head').waitFor(within);
    } finally {
      process.kill(engine, 'SIGCONT');
    }
    await rowOf(page, id).getByRole('button', { name: 'Send again' }).click(within);
    await rowOf(page, id).getByText('On the way out').waitFor(within);
    const { commands } = await world.ask('GET', `/api/reservations/${id}`);
    expect(commands.map(({ action }: { action: string }) => action)).toEqual([
      'dispatch.staff',
      'dispatch.start',
    ]);
  }, 240_000);
});

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const withoutServer = server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '';
describe.skipIf(!hasBrowser || server === undefined)(
  `while the database is down${withoutBrowser || withoutServer}`,
  () => {
    const database = ownDatabase(server ?? '');
    let line: Line;
    let world: ConsoleWorld;
    beforeAll(async () => {
      line = await Line.to(new URL(await database()));
      world = await ConsoleWorld.start({ DATABASE_URL: line.url });
    }, 240_000);
    afterAll(async () => {
      await world?.stop();
      line?.close();
    });

    it('what was read says since when, what was not is an error and no empty list, and all recovers without a reload', async () => {
      const { id } = await world.book(3 * hour);
      const { page } = await world.open('/');
      await rowOf(page, id).getByText('Booked').waitFor(within);
      line.cut();
      try {
        await page.getByText('The newest data could not be read. Shown as of').waitFor(within);
        await rowOf(page, id).getByText('Booked').waitFor(within);
        expect(await violationsOf(page)).toEqual([]);
        for (const [path, empty] of [
          ['/', 'No car is out.'],
          ['/in', 'No callback has arrived.'],
        ] as const) {
          const other = (await world.open(path)).page;
          await other.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor(within);
          expect(await other.getByText(empty).count()).toBe(0);
          await other.context().close();
        }
        const fresh = (await world.open('/')).page;
        await fresh.getByRole('button', { name: 'Try again' }).waitFor(within);
        line.comeBack();
        await rowOf(fresh, id).getByText('Booked').waitFor(within);
      } finally {
        line.comeBack();
      }
      await page.getByText('The newest data could not be read').waitFor(gone);
      await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
      await rowOf(page, id).getByText('Kim Staff').waitFor(within);
    }, 240_000);
  },
);

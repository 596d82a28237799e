import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { startReceiver } from '../support/callback-receiver.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { booking, clientOf } from '../support/platform-client.js';

const within = { timeout: 25_000 };
const hour = 3_600_000;
const staff = { staffName: 'Kim Staff', staffPhone: '01000000001' };
const override = { override: true, reason: 'done on the web site' };

describe.skipIf(!hasBrowser)(
  `a person resolves in the browser what the service cannot${withoutBrowser}`,
  () => {
    let world: ConsoleWorld;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    beforeAll(async () => {
      receiver = await startReceiver();
      world = await ConsoleWorld.start({ ALERT_URL: receiver.url, RECONCILE_EVERY: 'PT2S' });
    }, 240_000);
    afterAll(async () => {
      await world?.stop();
      await receiver?.close();
    });

    const rowOf = (page: Page, id: number) =>
      page.locator('.board-row', { has: page.locator(`a[href="/r/${id}"]`) });
    /** Submits the open form with a reason. */
    const giveReason = async (page: Page, button: string, reason: string) => {
      const form = page.getByRole('dialog');
      await form.getByRole('button', { name: button }).click();
      // without a reason nothing is sent
      expect(await form.locator('textarea:invalid').count()).toBe(1);
      await form.getByLabel('Reason').fill(reason);
      await form.getByRole('button', { name: button }).dblclick();
      await form.getByText('Applied.').waitFor(within);
      await form.getByRole('button', { name: 'Close' }).click();
    };

    it('a late return: its alert leads to the reservation, and a manager resolves the item with a reason', async () => {
      const lastsMs = 8_000;
      const { id, plate } = await world.book(4_000, lastsMs);
      for (const step of ['start', 'complete'])
        await world.ask('PUT', `/api/reservations/${id}/dispatch/${step}`, override);
      await eventually('the customer drives', () =>
        world.customer(id, 'start-use').then(
          () => true,
          () => false,
        ),
      );
      const { page, problems } = await world.open('/');
      const row = page.locator('.lane.attention').locator(rowOf(page, id));
      await row.getByText('Return late').waitFor(within);
      expect(await row.locator('.due.late').textContent()).toMatch(/late/);
      expect(await page.locator('.lane.attention .board-row').first().textContent()).toContain(plate);
      const post = await eventually('the alert is posted', () =>
        receiver.received.find(({ body }) => body.kind === 'return-late' && body.reservationId === id),
      );
      expect(post.body.type).toBe('attention.raised');
      await page.goto(world.at.api + post.body.path);
      const item = page.locator('.attention-items .item', { hasText: 'Return late' });
      await item.waitFor(within);
      expect(await page.locator('.head').textContent()).toContain(plate);
      const decisions = page.getByRole('region', { name: 'Decisions' });
      await decisions
        .locator('li', { hasText: 'Override: ' })
        .getByText(override.reason)
        .first()
        .waitFor(within);
      expect(await violationsOf(page)).toEqual([]);
      await item.getByRole('button', { name: 'Resolve' }).click();
      await giveReason(page, 'Resolve', 'the customer extends by phone');
      // its place stays, so that nothing below it moves
      await page.locator('.attention-items').getByText('Nothing needs attention.').waitFor(within);
      expect(problems).toEqual([]);
    }, 120_000);

    it('an unknown outcome: what is awaited is shown, and a manager states with a reason what became of it', async () => {
      const { id } = await world.book(3 * hour);
      await world.faults({
        calls: [{ operation: 'dispatchStaff', reservationId: id, effect: { kind: 'reset', applied: false } }],
      });
      const { page, problems } = await world.open(`/r/${id}`);
      const command = page
        .getByRole('region', { name: 'Commands' })
        .locator('li', { hasText: 'Assign dispatch staff' });
      await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
      await command.getByText('Outcome unknown').waitFor(within);
      await command
        .getByText('callback is awaited')
        .or(command.getByText('may have'))
        .first()
        .waitFor(within);
      expect(await violationsOf(page)).toEqual([]);
      // a viewer sees it, and has no button
      const viewer = (await world.open(`/r/${id}`, { role: 'viewer' })).page;
      await viewer.getByText('Outcome unknown').first().waitFor(within);
      expect(await viewer.getByRole('button', { name: 'Resolve the outcome' }).count()).toBe(0);
      await command.getByRole('button', { name: 'Resolve the outcome' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('The platform has not done it').check();
      await giveReason(page, 'Resolve the outcome', 'the web site shows status 5');
      await command.getByText('Rejected').waitFor(within);
      const { commands, status } = await world.ask('GET', `/api/reservations/${id}`);
      expect([commands.at(-1).outcome, commands.at(-1).settledBy, status.code]).toEqual([
        'rejected',
        'person',
        5,
      ]);
      const decided = page.getByRole('region', { name: 'Decisions' }).locator('li');
      await decided.getByText('Resolved an unknown outcome: Assign dispatch staff, Rejected').waitFor(within);
      await decided.getByText('the web site shows status 5').waitFor(within);
      expect(problems).toEqual([]);
    }, 120_000);

    it('an entry of the schedule that no callback reported: a manager adopts it as its reservation', async () => {
      await world.faults({ callbacks: [{ event: '*', effect: { kind: 'drop' }, times: 20 }] });
      const client = clientOf(world.at.sandbox, { keys: world.deployment.platformKeys() });
      const startAt = Date.now() + 50 * hour;
      const { reservationId } = await client.book({
        ...booking,
        productId: 301,
        startAt,
        endAt: startAt + 2 * hour,
      });
      const { page, problems } = await world.open('/in?view=findings');
      const item = page.locator('.item', { hasText: 'Reservation that no callback reported' });
      await item.first().waitFor(within);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Adopt' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Reservation id').fill(String(reservationId));
      await giveReason(page, 'Adopt', 'the web site shows it');
      await item.waitFor({ ...within, state: 'detached' });
      await page.goto(`${world.at.api}/r/${reservationId}`);
      await page.getByText('Asserted').first().waitFor(within);
      expect(problems).toEqual([]);
    }, 120_000);

    it('a hold on a car that is reserved is refused, with what blocks it', async () => {
      await world.faults({});
      const { id, plate } = await world.book(20 * hour);
      const { items } = await world.ask('GET', '/api/cars');
      const { carId } = items.find(({ carNumber }: { carNumber: string }) => carNumber === plate);
      const { page, problems } = await world.open(`/cars?car=${carId}`);
      await page.locator('.drawer').getByText('No hold.').waitFor(within);
      await page.keyboard.press('h');
      const form = page.getByRole('dialog');
      await form.getByLabel('Reason').fill('tyres');
      await form.getByRole('button', { name: 'New hold' }).click();
      const refusal = form.getByRole('alert');
      await refusal.getByText('The car is reserved in this period').waitFor(within);
      await refusal.getByText('E011').waitFor(within);
      expect(await violationsOf(page)).toEqual([]);
      // the same form can be sent with another period
      expect(await form.getByRole('button', { name: 'New hold' }).isEnabled()).toBe(true);
      const holds = (await world.ask('GET', `/api/holds?carId=${carId}`)).items as { open: boolean }[];
      expect(holds.filter(({ open }) => open)).toEqual([]);
      expect((await world.ask('GET', `/api/reservations/${id}`)).status.code).toBe(5);
      expect(problems).toEqual([]);
    }, 120_000);
  },
);

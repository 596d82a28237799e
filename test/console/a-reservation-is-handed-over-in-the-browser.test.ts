import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { jpeg } from '../support/sandbox-client.js';

const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg) };
/** What follows a click, a callback or a customer's move; a page without a stream reads every 10 s. */
const within = { timeout: 60_000 };

describe.skipIf(!hasBrowser)(`a reservation from status 5 to 35${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
  }, 240_000);
  afterAll(() => world?.stop());

  const status = async (page: Page, name: string) => {
    await page.locator('.head .mark', { hasText: name }).first().waitFor(within);
  };
  const commandsOf = async (id: number) =>
    (await world.ask('GET', `/api/reservations/${id}`)).commands as { action: string; outcome: string }[];

  it('by mouse: each next step is one click, with the plate on its button', async () => {
    const { id, plate } = await world.book();
    const { page, problems } = await world.open(`/r/${id}`);
    const next = (name: string) => page.locator('.head').getByRole('button', { name: `${name} ${plate}` });
    const choosePhoto = async (name: string) => {
      const chooser = page.waitForEvent('filechooser');
      await next(name).click(within);
      await (await chooser).setFiles(photo);
    };
    const assignStaff = async (name: string) => {
      await next(name).click(within);
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Kim Staff');
      await form.getByLabel('Phone').fill('01000000001');
      await form.getByRole('button', { name: 'Send' }).click();
      await page.locator('.head').getByText(`${name}: applied`).waitFor(within);
    };

    await status(page, 'Booked');
    await assignStaff('Assign dispatch staff');
    // a double click acts once
    await next('Start dispatch').dblclick(within);
    await status(page, 'On the way out');
    await choosePhoto('Parking photo');
    await choosePhoto('Car photo');
    await next('Complete dispatch').click(within);
    await status(page, 'Ready for pickup');
    await world.customer(id, 'start-use');
    await status(page, 'In use');
    await world.customer(id, 'return');
    await status(page, 'Returned');
    await assignStaff('Assign recall staff');
    await choosePhoto('Return photo');
    await next('Complete recall').click(within);
    await status(page, 'Recalled');

    const commands = await commandsOf(id);
    expect(commands.map(({ action }) => action)).toEqual([
      'dispatch.staff',
      'dispatch.start',
      'dispatch.parkingImage',
      'dispatch.carImage',
      'dispatch.complete',
      'recall.staff',
      'recall.carImage',
      'recall.complete',
    ]);
    expect(commands.every(({ outcome }) => outcome === 'applied')).toBe(true);
    // what a driver entered is text
    expect(await page.locator('.facts').getByText('<img src=x onerror=alert(1)>').count()).toBe(1);
    expect(problems).toEqual([]);
  }, 240_000);

  it.runIf(process.env.HANDOVER_TEST_LONG === '1')(
    'by keyboard alone',
    async () => {
      const { id } = await world.book();
      const { page, problems } = await world.open(`/r/${id}`);
      const step = async (name: string) => {
        await page.locator('.head').getByRole('button', { name }).waitFor(within);
        await page.keyboard.press('n');
      };
      const choosePhoto = async (name: string) => {
        const chooser = page.waitForEvent('filechooser');
        await step(name);
        await (await chooser).setFiles(photo);
      };
      const assignStaff = async (name: string) => {
        await step(name);
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type('Lee Staff');
        await page.keyboard.press('Tab');
        await page.keyboard.type('01000000002');
        await page.keyboard.press('Enter');
        await page.locator('.head').getByText(`${name}: applied`).waitFor(within);
      };

      await status(page, 'Booked');
      await page.keyboard.press('?');
      await page
        .getByRole('dialog', { name: 'Keyboard shortcuts' })
        .getByText('The recommended step')
        .waitFor();
      await page.keyboard.press('Escape');
      await assignStaff('Assign dispatch staff');
      await step('Start dispatch');
      await status(page, 'On the way out');
      await choosePhoto('Parking photo');
      await choosePhoto('Car photo');
      await step('Complete dispatch');
      await status(page, 'Ready for pickup');
      await world.customer(id, 'start-use');
      await status(page, 'In use');
      await world.customer(id, 'return');
      await status(page, 'Returned');
      await assignStaff('Assign recall staff');
      await choosePhoto('Return photo');
      await step('Complete recall');
      await status(page, 'Recalled');
      expect(await commandsOf(id)).toHaveLength(8);
      expect(problems).toEqual([]);
    },
    240_000,
  );
});

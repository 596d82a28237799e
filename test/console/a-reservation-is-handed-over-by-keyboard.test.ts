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

  it('by keyboard alone', async () => {
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
      .getByText('Assign dispatch staff')
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
  }, 240_000);
});

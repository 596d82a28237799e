import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { jpeg } from '../support/sandbox-client.js';

const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg) };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
/** What follows a click, a callback or a customer's move; a page without a stream reads every 10 s. */
const within = { timeout: 60_000 };

const allSteps = [
  'dispatch.staff',
  'dispatch.start',
  'dispatch.parkingImage',
  'dispatch.carImage',
  'dispatch.complete',
  'recall.staff',
  'recall.carImage',
  'recall.complete',
];

describe.skipIf(!hasBrowser)(`a reservation from status 5 to 35${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
  }, 240_000);
  afterAll(() => world?.stop());

  const fillStaff = async (page: Page) => {
    await page.locator('dialog input[name="staffName"]').fill('Lee Staff');
    await page.locator('dialog input[name="staffPhone"]').fill('01000000002');
    await page.locator('dialog button[type="submit"]').click();
  };
  const select = async (page: Page, rows: readonly { id: number }[]) => {
    for (const { id } of rows)
      await page
        .locator('.board-row', { hasText: `#${id}` })
        .locator('input[type="checkbox"]')
        .first()
        .check(within);
  };
  const stateOf = async (id: number) => {
    const { status, commands } = await world.ask('GET', `/api/reservations/${id}`);
    return [status.code, commands.map(({ action }: { action: string }) => action)];
  };

  it('by mouse: each next step is one click, or a form where it needs values', async () => {
    const { id } = await world.book();
    const { page, problems } = await world.open(`/r/${id}`);
    const next = (name: string) => page.locator('.head').getByRole('button', { name });
    const status = (name: string) => page.locator('.head .mark', { hasText: name }).first().waitFor(within);
    const click = (name: string) => next(name).click(within);
    const choosePhoto = async (name: string) => {
      await next(name).waitFor(within);
      const chooser = page.waitForEvent('filechooser');
      await click(name);
      await (await chooser).setFiles(photo);
    };
    await click('Assign dispatch staff');
    await fillStaff(page);
    await click('Start dispatch');
    await status('On the way out');
    await choosePhoto('Parking photo');
    await choosePhoto('Car photo');
    await click('Complete dispatch');
    await status('Ready for pickup');
    await world.customer(id, 'start-use');
    await status('In use');
    await world.customer(id, 'return');
    await status('Returned');
    await click('Assign recall staff');
    await fillStaff(page);
    await choosePhoto('Return photo');
    await click('Complete recall');
    await status('Recalled');
    expect(await stateOf(id)).toEqual([35, allSteps]);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('on a phone: the five steps of the handover and the three of the recall are buttons', async () => {
    const { id, plate } = await world.book();
    const { page, problems } = await world.open(`/go?of=all&job=${id}`, { ...phone, role: 'staff' });
    const card = page.locator('.job', { hasText: plate });
    const tap = (name: string) => card.getByRole('button', { name }).tap(within);
    const buffer = await readablePhoto(page);
    const take = async (name: string) => {
      await card.locator(`input[aria-label^="${name}"]`).setInputFiles({ ...photo, buffer }, within);
      await card.locator('li.done', { hasText: name }).waitFor(within);
    };
    const submit = () => page.locator('dialog button[type="submit"]').tap();
    await tap('Assign dispatch staff');
    await fillStaff(page);
    await tap('Start dispatch');
    await take('Parking photo');
    await take('Car photo');
    await tap('Complete dispatch');
    await page.locator('dialog input[name="parkingMemo"]').fill('B2, next to the lift');
    await submit();
    await expect.poll(async () => (await stateOf(id))[0], within).toBe(15);
    await world.customer(id, 'start-use');
    await world.customer(id, 'return');
    await card.getByText('Returned').waitFor(within);
    await tap('Assign recall staff');
    await fillStaff(page);
    await take('Return photo');
    await tap('Complete recall');
    await page.locator('dialog [name="note"]').fill('Scratch at the rear door');
    await submit();
    await expect.poll(() => stateOf(id), within).toEqual([35, allSteps]);
    // on a busy machine a request may have no answer in time: the phone sends or reads it again
    expect(problems.filter((problem) => !problem.includes('status of 503'))).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('a step out of order is sent with a reason, and a manager asserts what is right with another', async () => {
    const { id } = await world.book();
    const { page, problems } = await world.open(`/r/${id}`);
    const rung = page.locator('.rung', { hasText: 'Start dispatch' });
    await rung.getByText('why?').click(within);
    await rung.getByText('A recommended step is missing').waitFor();
    await rung.getByRole('button', { name: 'Override' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.locator('button[type="submit"]');
    await send.click();
    expect(await dialog.locator(':invalid').count()).toBeGreaterThan(0);
    await dialog.locator('[name="reason"]').fill('the driver left without a call');
    // as a field for a file does whose choice is left without one
    await dialog.locator('[name="reason"]').dispatchEvent('cancel', { bubbles: true });
    expect(await dialog.locator('[name="reason"]').inputValue()).toBe('the driver left without a call');
    await send.click();
    await page.locator('.head .mark', { hasText: 'On the way out' }).first().waitFor(within);

    await page.getByRole('button', { name: 'Assert facts' }).click();
    await dialog.locator('[name="status"]').selectOption('15');
    await send.click();
    expect(await dialog.locator(':invalid').count()).toBeGreaterThan(0);
    await dialog.locator('[name="reason"]').fill('seen on the web site');
    await send.click();
    await page.locator('.head .mark', { hasText: 'Ready for pickup' }).first().waitFor(within);
    await page.locator('.panel', { hasText: 'Decisions' }).getByText('seen on the web site').waitFor(within);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('staff are assigned to several rows by one form: single writes, each with its key and its result', async () => {
    const booked = [await world.book(40 * 60_000), await world.book(50 * 60_000)];
    const { page, problems } = await world.open('/');
    const keys: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/dispatch/staff'))
        keys.push(request.headers()['idempotency-key'] ?? '');
    });
    // one is cancelled before the form is sent: its write is refused, the other's is not
    const [gone, other] = booked as [(typeof booked)[0], (typeof booked)[0]];
    await select(page, booked);
    await page.getByRole('button', { name: 'Assign staff' }).click();
    await world.customer(gone.id, 'cancel');
    await expect.poll(async () => (await stateOf(gone.id))[0], within).toBe(40);
    await fillStaff(page);
    const dialog = page.getByRole('dialog');
    await dialog
      .locator('li', { hasText: `#${other.id}` })
      .getByText('Applied')
      .waitFor(within);
    await dialog
      .locator('li', { hasText: `#${gone.id}` })
      .getByText('Rejected')
      .waitFor(within);
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain('');
    expect(problems).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('a bulk action sends four writes at a time, and the next when one has its answer', async () => {
    const days = [2, 3, 4, 5, 6, 7].map((day) => day * 24 * 3_600_000);
    const booked = await Promise.all(days.map((startsIn) => world.book(startsIn)));
    const { page, problems } = await world.open('/');
    const held: Route[] = [];
    await page.route('**/dispatch/staff', (route) => {
      held.push(route);
    });
    await select(page, booked);
    await page.getByRole('button', { name: 'Assign staff' }).click();
    await fillStaff(page);
    const dialog = page.getByRole('dialog');
    const sent: number[] = [];
    for (let answered = 0; answered < booked.length; answered++) {
      const due = Math.min(booked.length, answered + 4);
      await expect.poll(() => held.length, within).toBe(due);
      sent.push(held.length - answered);
      await held[answered]?.continue();
      await expect.poll(() => dialog.getByText('Applied').count(), within).toBe(answered + 1);
    }
    expect(sent).toEqual([4, 4, 4, 3, 2, 1]);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('a bulk action that is closed sends no more; what was sent shows its outcome, the rest stays selected', async () => {
    const days = [10, 11, 12, 13, 14, 15].map((day) => day * 24 * 3_600_000);
    const booked = await Promise.all(days.map((startsIn) => world.book(startsIn)));
    const { page, problems } = await world.open('/');
    const held: Route[] = [];
    await page.route('**/dispatch/staff', (route) => {
      held.push(route);
    });
    await select(page, booked);
    await page.getByRole('button', { name: 'Assign staff' }).click();
    await fillStaff(page);
    await expect.poll(() => held.length, within).toBe(4);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    for (const route of held) await route.continue();
    await page.locator('.selection-bar').getByText('Selected: 2').waitFor(within);
    const assigned = async () => {
      const states = await Promise.all(booked.map(({ id }) => stateOf(id)));
      return states.filter(([, actions]) => actions.includes('dispatch.staff')).length;
    };
    await expect.poll(assigned, within).toBe(4);
    expect(held).toHaveLength(4);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('prints a reservation without controls', async () => {
    const { id, plate } = await world.book(8 * 24 * 3_600_000);
    const { page } = await world.open(`/r/${id}`);
    await page.locator('.rung').first().waitFor(within);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible, a.button:visible, input:visible').allTextContents()).toEqual(
      [],
    );
    expect(await page.locator('.reservation').textContent()).toContain(plate);
    expect(await page.locator('.rung:visible').count()).toBeGreaterThan(5);
    await page.context().close();
  }, 240_000);
});

/** A JPEG that the phone can reduce: what runs in the page is text, for these files have no types of a browser. */
async function readablePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate<string>(
    `document.createElement('canvas').toDataURL('image/jpeg').split(',')[1]`,
  );
  return Buffer.from(base64, 'base64');
}

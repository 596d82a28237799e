import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitsWidth, violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';

const hourMs = 3_600_000;

describe.skipIf(!hasBrowser)(`the screen Cars${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let reservation: { id: number; plate: string };
  let car: { carId: number; carNumber: string };
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    reservation = await world.book();
    const { items } = await world.ask('GET', '/api/cars');
    car = items.find(({ carNumber }: typeof car) => carNumber !== reservation.plate);
  }, 240_000);
  afterAll(() => world?.stop());

  /** What a `datetime-local` input has, in the zone of the test's service. */
  const local = (at: number) => new Date(at + 9 * hourMs).toISOString().slice(0, 16);

  it('each car has a row with its bars; a reservation opens from its bar', async () => {
    const { page, problems } = await world.open('/cars');
    const row = page.locator('.car-row', { hasText: reservation.plate });
    const bar = row.getByRole('link', { name: `Reservation ${reservation.id}, Booked` });
    await bar.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await bar.click();
    await page.waitForURL(`**/r/${reservation.id}`);
    expect(problems).toEqual([]);
  });

  it('shows the cars that are free between two moments; the address has the filter', async () => {
    const { page } = await world.open('/cars');
    const rows = page.locator('.car-row');
    await rows.first().waitFor();
    const all = await rows.count();
    await page.getByLabel('Free from').fill(local(Date.now() + 2.5 * hourMs));
    // with one moment every car would look free
    await page.keyboard.press('Tab');
    await page.getByText('are needed, the first before the second').waitFor();
    expect(await rows.count()).toBe(0);
    await page.getByLabel('Free until').fill(local(Date.now() + 3 * hourMs));
    await page.keyboard.press('Tab');
    await page.locator('.car-row', { hasText: reservation.plate }).waitFor({ state: 'detached' });
    await expect.poll(() => rows.count()).toBe(all - 1);
    expect(page.url()).toContain('freeFrom=');
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.locator('.car-row', { hasText: reservation.plate }).waitFor();
  });

  it('products that could not be read are an option that states so, and no empty list', async () => {
    const { page } = await world.open('/cars', {
      prepare: async (opened) => {
        await opened.route('**/api/products?*', (route) => route.abort());
      },
    });
    await page
      .getByLabel('Product')
      .locator('option', { hasText: 'could not be read' })
      .waitFor({ state: 'attached' });
  });

  it('the list of shortcuts has each once, as the screen uses it', async () => {
    const { page } = await world.open('/cars');
    await page.locator('.car-row').first().waitFor();
    await page.keyboard.press('?');
    const slash = page.locator('.shortcuts > div', { has: page.locator('kbd', { hasText: /^\/$/ }) });
    await slash.waitFor();
    expect(await slash.locator('dd').textContent()).toBe('Filter the cars');
  });

  it('every button of the screen that has a key is in that list, by its own name', async () => {
    const { page } = await world.open(`/cars?car=${car.carId}`);
    await page.getByRole('button', { name: 'New hold' }).waitFor();
    await page.keyboard.press('?');
    const list = page.locator('.shortcuts');
    for (const [key, name] of [
      ['h', 'New hold'],
      ['m', 'New memo'],
      [']', 'Later'],
    ] as const)
      await list
        .locator('div', { has: page.locator(`kbd:text-is("${key}")`) })
        .getByText(name)
        .waitFor();
  });

  it('a plate finds its car, also where no reservation has it', async () => {
    const { page, problems } = await world.open('/');
    await page.locator('.live.live').waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox').fill(car.carNumber);
    await page.getByRole('option', { name: `${car.carNumber} ` }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cars?car=${car.carId}`);
    await page.locator('.drawer').getByText(car.carNumber).waitFor();
    const row = page.locator('.car-row > a[aria-current]');
    const hasFocus = () => page.locator('.car-row > a:focus').count();
    await row.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(hasFocus).toBe(1);
    // where the drawer takes the place of the rows
    await page.setViewportSize({ width: 700, height: 900 });
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await expect.poll(hasFocus).toBe(1);
    expect(problems).toEqual([]);
  });

  it('holds a car by keyboard alone, changes the hold and releases it', async () => {
    const { page, problems } = await world.open(`/cars?car=${car.carId}`);
    await page.getByText('No hold.').waitFor();
    await page.keyboard.press('h');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('brakes are inspected');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('Applied.').waitFor();
    await page.keyboard.press('Escape');
    const hold = page.locator('.hold-item');
    await hold.getByText('brakes are inspected').waitFor();
    await page
      .locator('.car-row', { hasText: car.carNumber })
      .getByRole('link', { name: /^Hold, / })
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await hold.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Until').fill(local(Date.now() + 30 * hourMs));
    await dialog.getByRole('button', { name: 'Change' }).dblclick();
    await dialog.getByText('Applied.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();

    await hold.getByRole('button', { name: 'Release' }).click();
    await dialog.getByRole('button', { name: 'Release' }).click();
    await dialog.getByText('Applied.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No hold.').waitFor();
    const { items } = await world.ask('GET', `/api/holds?carId=${car.carId}`);
    expect(items).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('writes a memo, and stops the sale with a reason', async () => {
    const { page } = await world.open(`/cars?car=${car.carId}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New memo' }).click();
    await dialog.getByLabel('Memo').fill('<b>scratch</b> on the left door');
    await dialog.getByRole('button', { name: 'New memo' }).click();
    await dialog.getByText('Applied.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('.memos').getByText('<b>scratch</b> on the left door').waitFor();

    const stop = page.getByRole('button', { name: 'Take off sale' });
    await stop.click();
    await dialog.getByLabel('Reason').fill('before the inspection');
    await dialog.getByRole('button', { name: 'Take off sale' }).click();
    await dialog.getByText('Applied.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Not on sale').waitFor();
    await eventually('the audit has the reason', async () => {
      const { items } = await world.ask('GET', '/api/audit?action=product.sale-status');
      return items[0]?.reason === 'before the inspection';
    });
  });

  it('reads what takes the cars that it shows, and no others', async () => {
    const { page } = await world.open('/cars');
    await page.locator('.car-row a').first().waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((one) => new URL(one.url()).pathname === '/api/schedule'),
      page.goto(new URL(`/cars?plate=${encodeURIComponent(car.carNumber)}`, page.url()).href),
    ]);
    expect(new URL(request.url()).searchParams.getAll('carId')).toEqual([String(car.carId)]);
  });

  it('a memo whose answer is lost, and whose form is closed and opened again, is written once', async () => {
    const { page } = await world.open(`/cars?car=${car.carId}`);
    const dialog = page.getByRole('dialog');
    const open = page.getByRole('button', { name: 'New memo' });
    await page.route('**/api/car-writes/**', (route) => route.abort());
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/memos', loseAnswer, { times: 1 });
    await open.click();
    await dialog.getByLabel('Memo').fill('the spare key is missing');
    await dialog.getByRole('button', { name: 'New memo' }).click();
    await dialog.getByText('No answer arrived.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    expect(await dialog.getByLabel('Memo').inputValue()).toBe('the spare key is missing');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('Applied.').waitFor();
    const { memos } = await world.ask('GET', `/api/cars/${car.carId}`);
    const texts = memos.map(({ content }: { content: string }) => content) as string[];
    expect(texts.filter((text) => text.includes('the spare key is missing'))).toHaveLength(1);
    // an outcome is known: the next form is another memo
    await dialog.getByRole('button', { name: 'Close' }).click();
    await open.click();
    expect(await dialog.getByLabel('Memo').inputValue()).toBe('');
  });

  it('a viewer sees the bars, and cannot change a car', async () => {
    const { page } = await world.open(`/cars?car=${car.carId}`, { role: 'viewer' });
    await page.locator('.drawer').getByText('No hold.').waitFor();
    expect(await page.locator('.drawer .button:not(.quiet)').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('is clean on a phone of 360 px, in Korean, %s', async (colorScheme) => {
    const { page } = await world.open('/cars', {
      locale: 'ko-KR',
      colorScheme,
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await page.locator('.car-row a').first().waitFor();
    expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
    await page.locator('.car-row > a').first().click();
    await page.getByText('메모 작성').waitFor();
    expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
  });

  it.each([
    ['Applied.', [{ nth: 1, effect: { kind: 'latency', ms: 11_000 } }]],
    [
      'Rejected.',
      [
        { nth: 1, effect: { kind: 'reset', applied: false } },
        { nth: 2, effect: { kind: 'refuse', code: 'E011' } },
      ],
    ],
  ])(
    'accepts the hold that a reservation proposes: 202 is awaited, and the outcome is shown in place: %s',
    async (outcome, faults) => {
      const { id } = await world.book();
      await world.ask('PUT', `/api/reservations/${id}/dispatch/start`, {
        override: true,
        reason: 'done on the web site',
      });
      await world.customer(id, 'cancel');
      const { page, problems } = await world.open(`/r/${id}`);
      const accept = page.getByRole('button', { name: 'Hold the car' });
      await accept.waitFor();
      await world.faults({ calls: faults.map((fault) => ({ operation: 'addSchedule', ...fault })) });
      await accept.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Hold the car' }).click();
      await dialog.getByText('Its outcome is awaited.').waitFor();
      await dialog.getByText(outcome).waitFor();
      await world.faults({});
      expect(problems).toEqual([]);
    },
    120_000,
  );
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitsWidth, violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';

describe.skipIf(!hasBrowser)(`the screen Shift${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let reservation: { id: number; plate: string };
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    reservation = await world.book();
    await world.ask('PUT', `/api/reservations/${reservation.id}/dispatch/staff`, {
      staffName: '김현장',
      staffPhone: '01000000000',
    });
  }, 240_000);
  afterAll(() => world?.stop());

  it('shows who did what, with links; the CSV has the same', async () => {
    const { page, problems } = await world.open('/shift');
    const deed = page.locator('.deeds li', { hasText: 'Assign dispatch staff' });
    await deed.waitFor();
    expect(await deed.textContent()).toContain('manager');
    expect(await deed.getByRole('link', { name: `#${reservation.id}` }).getAttribute('href')).toBe(
      `/r/${reservation.id}`,
    );
    expect(await page.locator('.deeds').textContent()).toContain('Booked');
    expect(await violationsOf(page)).toEqual([]);
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
    const csv = readFileSync(await file.path(), 'utf8');
    expect(csv).toContain(`"manager","Assign dispatch staff","reservation/${reservation.id}","","Applied"`);
    expect(csv).not.toContain('김현장');
    expect(problems).toEqual([]);
  });

  it('shows the plate of each car without reading the fleet', async () => {
    const { page } = await world.open('/shift');
    await page.locator('.deeds li').first().waitFor();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.reload();
    const deed = page.locator('.deeds li', { hasText: 'Assign dispatch staff' });
    await deed.getByText(reservation.plate).waitFor();
    expect(requested).toContain('/api/activity');
    expect(requested).not.toContain('/api/cars');
  });

  it('the action of a colleague moves no row: it is shown on request', async () => {
    const { page } = await world.open('/shift');
    const deeds = page.locator('.deeds li');
    await deeds.first().waitFor();
    const before = [await deeds.count(), (await deeds.first().boundingBox())?.y];
    await world.ask('PUT', `/api/reservations/${reservation.id}/dispatch/staff`, {
      staffName: '이현장',
      staffPhone: '01011111111',
    });
    await page
      .locator('.deeds')
      .getByRole('button', { name: /^Show \d+ new$/ })
      .waitFor();
    expect([await deeds.count(), (await deeds.first().boundingBox())?.y]).toEqual(before);
    expect(await violationsOf(page)).toEqual([]);
    await page.locator('.deeds').getByRole('button', { name: /^Show/ }).click();
    await expect.poll(() => deeds.count()).toBeGreaterThan(Number(before[0]));
  });

  it('a CSV that cannot be read is stated, and is no file', async () => {
    const { page } = await world.open('/shift');
    await page.locator('.deeds li').first().waitFor();
    const files: string[] = [];
    page.on('download', (file) => files.push(file.suggestedFilename()));
    await page.route(
      (url) => url.pathname === '/api/activity',
      (route) => route.abort(),
    );
    await page.getByRole('button', { name: 'CSV' }).click();
    const alert = page.locator('.shift-head').getByRole('alert');
    await alert.getByText('The service does not answer.').waitFor();
    expect(files).toEqual([]);
    await page.unrouteAll();
    const file = page.waitForEvent('download');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await file;
    await alert.waitFor({ state: 'hidden' });
  });

  it('states where more alerts or open items exist than it reads', async () => {
    const { page } = await world.open('/shift');
    const alert = { kind: 'intake-silent', subject: '', message: 'none', path: '/in', clearedAt: null };
    const item = {
      reservationId: 1,
      status: { code: 25 },
      carId: 1,
      carNumber: '12가3456',
      attention: ['return-late'],
    };
    const moment = new Date().toISOString();
    const pages: Record<string, object> = {
      '/api/alerts': { ...alert, since: moment },
      '/api/reservations': { ...item, owners: {} },
    };
    for (const [path, one] of Object.entries(pages))
      await page.route(
        (url) => url.pathname === path,
        (route) =>
          route.fulfill({
            headers: { 'handover-api': '1', date: new Date().toUTCString() },
            json: { items: [one], nextCursor: 'more', asOf: moment },
          }),
      );
    await page.reload();
    const alerts = page.getByRole('region', { name: 'Alerts' });
    await alerts.getByText('Only the newest 4 entries are shown').waitFor();
    await page.getByText('More items are open: see Now.').waitFor();
    await page.locator('.totals').getByText('1+').waitFor();
  });

  it('a note during the shift is there for the next one, and accepts no shift', async () => {
    const { page } = await world.open('/shift');
    await page.locator('.deeds li').first().waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note for the next shift').fill('Lot 3 is closed');
    await dialog.getByRole('button', { name: 'Note for the next shift' }).dblclick();
    await dialog.getByText('Applied.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('region', { name: 'Notes of this and the last shift' })
      .getByText('Lot 3 is closed')
      .waitFor();
    expect((await world.ask('GET', '/api/shifts')).items).toMatchObject([
      { since: null, note: 'Lot 3 is closed' },
    ]);
    expect(await page.getByRole('button', { name: 'Last accepted' }).count()).toBe(0);
  });

  it('a shift is accepted once with a note, and what was reviewed stays on the screen', async () => {
    const { page } = await world.open('/shift');
    await page.locator('.deeds li').first().waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note for the next shift').fill('=1+1 key at the counter');
    await dialog.getByRole('button', { name: 'Accept the shift' }).dblclick();
    await dialog.getByText('Applied.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const notes = page.getByRole('region', { name: 'Notes of this and the last shift' });
    await notes.getByText('=1+1 key at the counter').waitFor();
    expect(await page.locator('.deeds li').count()).toBeGreaterThan(0);
    // it was noted for the shift that begins now
    expect(await notes.getByText('Lot 3 is closed').count()).toBe(1);
    expect((await world.ask('GET', '/api/shifts')).items).toHaveLength(2);
    await page.getByRole('button', { name: 'Last accepted' }).click();
    const deeds = page.getByRole('region', { name: 'Who did what' });
    await deeds.getByText('None').or(deeds.locator('li')).first().waitFor();
  });

  it('prints without controls', async () => {
    const { page } = await world.open('/shift');
    await page.locator('.totals').waitFor();
    const accept = page.locator('button', { hasText: 'Accept the shift' });
    expect(await accept.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await accept.isVisible()).toBe(false);
    expect(await page.locator('.totals').isVisible()).toBe(true);
  });

  it('a viewer learns that it is for staff', async () => {
    const { page } = await world.open('/shift', { role: 'viewer' });
    await page.getByText('What persons did is shown to staff and managers.').waitFor();
  });

  it.each(['light', 'dark'] as const)('is clean on a phone of 360 px, in Korean, %s', async (colorScheme) => {
    const { page } = await world.open('/shift', {
      locale: 'ko-KR',
      colorScheme,
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await page.locator('.totals').waitFor();
    expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
  });
});

import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';

const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
} as const;
/** Where the photo was taken, as a camera writes it into a JPEG. */
const location = 'GPS 37.5665 126.9780';

/** What runs in the page is text: these files have no types of a browser. */
const countStored = `new Promise((resolve) => {
  const opened = indexedDB.open('handover');
  opened.onsuccess = () => {
    const transaction = opened.result.transaction(['entries', 'photos']);
    const counts = ['entries', 'photos'].map((name) => transaction.objectStore(name).count());
    transaction.oncomplete = () => {
      opened.result.close();
      resolve(counts.map(({ result }) => result));
    };
  };
})`;
const tooSmall = `[...document.querySelectorAll('main a, main button, main summary')]
  .filter((one) => one.offsetParent !== null && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML)`;
/** The page shows no image of an address that it makes itself (CSP). */
const sizeOf = `async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes]));
  return [width, height];
}`;

describe.skipIf(!hasBrowser)(`the phone of a member of staff${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let context: BrowserContext;
  let page: Page;
  let photo: { name: string; mimeType: string; buffer: Buffer };

  beforeAll(async () => {
    world = await ConsoleWorld.start();
    ({ page } = await world.open('/go', { ...phone, role: 'staff' }));
    context = page.context();
    // the page and its files are stored before the connection is lost
    await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
    photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await jpegWithLocation(page) };
  }, 240_000);
  afterAll(() => world?.stop());

  const cardOf = (plate: string) => page.locator('.job', { hasText: plate });
  const queued = () => page.locator('.queue .entries > li');
  const open = (plate: string) => cardOf(plate).locator('h2 button[aria-expanded="false"]').tap();
  const take = async (card: Locator, step: string) => {
    await card.locator(`input[aria-label^="${step}"]`).setInputFiles(photo);
    await card.locator('li.queued, li.done', { hasText: step }).waitFor();
  };
  /** How often the platform got it, by the sandbox's journal. */
  const inJournal = async (operation: string, reservationId: number) => {
    const response = await fetch(
      `${world.at.sandbox}/sandbox/journal?reservationId=${reservationId}&limit=500`,
    );
    const { items } = (await response.json()) as { items: { kind: string; operation: string }[] };
    return items.filter((item) => item.kind === 'request' && item.operation === operation).length;
  };
  const stored = () => page.evaluate<number[]>(countStored);

  it('three photos of airplane mode are each sent once, after a reload, with two pages open', async () => {
    const [first, second] = [await world.book(), await world.book(5 * 3_600_000)];
    for (const { id } of [first, second])
      await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, {
        staffName: 'Kim',
        staffPhone: '01000000000',
      });
    await world.ask('PUT', `/api/reservations/${second.id}/dispatch/start`, {});
    await page.reload();
    for (const { plate } of [first, second]) await cardOf(plate).first().waitFor();
    await cardOf(second.plate).getByText('On the way out').waitFor();

    await context.setOffline(true);
    if ((await cardOf(first.plate).locator('.steps').count()) === 0) await open(first.plate);
    await cardOf(first.plate).getByRole('button', { name: 'Start dispatch' }).tap();
    await take(cardOf(first.plate), 'Parking photo');
    await take(cardOf(first.plate), 'Car photo');
    await cardOf(first.plate).getByRole('button', { name: 'Complete dispatch' }).tap();
    await page.locator('dialog input[name="parkingMemo"]').fill('B2, next to the lift');
    await page.locator('dialog button[type="submit"]').tap();
    await open(second.plate);
    await take(cardOf(second.plate), 'Parking photo');
    await expect.poll(() => stored()).toEqual([5, 3]);

    const reloaded = await page.reload();
    expect(reloaded?.fromServiceWorker()).toBe(true);
    await expect.poll(() => queued().count()).toBe(5);
    const other = await context.newPage();
    await other.goto(`${world.at.api}/go`);
    await other.locator('.job').first().waitFor();

    await context.setOffline(false);
    await expect.poll(() => stored(), { timeout: 60_000 }).toEqual([0, 0]);
    await other.close();
    for (const [id, operations] of [
      [first.id, ['dispatchStart', 'dispatchParkingImage', 'dispatchCarImage', 'dispatchComplete']],
      [second.id, ['dispatchParkingImage']],
    ] as const) {
      for (const operation of operations)
        expect([operation, await inJournal(operation, id)]).toEqual([operation, 1]);
    }
    const view = await world.ask('GET', `/api/reservations/${first.id}`);
    expect(view.dispatch).toMatchObject({
      parkingImage: { type: 'image/jpeg' },
      completedAt: expect.any(String),
    });
    await checkPhoto(first.id, view.dispatch.carImage.hash);
  }, 180_000);

  /** At most 2048 pixels on its longest side, and without the place. */
  async function checkPhoto(id: number, hash: string): Promise<void> {
    const response = await fetch(`${world.at.api}/api/reservations/${id}/photos/${hash}`, {
      headers: { authorization: `Bearer ${world.at.tokens.staff}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(photo.buffer.includes(location)).toBe(true);
    expect(bytes.includes(location)).toBe(false);
    expect(await page.evaluate(`(${sizeOf})('${bytes.toString('base64')}')`)).toEqual([2048, 1365]);
  }

  it.each([
    ['light', 'en'],
    ['dark', 'ko'],
  ])(
    '%s, %s: accessible, 360 px wide, and all of it is large enough for a finger',
    async (theme, language) => {
      await page.evaluate(`localStorage.setItem('handover.theme', '${theme}')`);
      await page.evaluate(`localStorage.setItem('handover.language', '${language}')`);
      await page.goto(`${world.at.api}/go?of=all`);
      await page.locator('.job .steps').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await page.evaluate(tooSmall)).toEqual([]);
      await page.evaluate('localStorage.clear()');
    },
  );

  it('what cannot be read is counted, and never shown as nothing to do', async () => {
    const views = /\/api\/reservations\/\d+$/;
    const prepare = async (one: Page) => {
      await one.route(views, (route) => route.fulfill({ status: 503, body: '{}' }));
    };
    const { page: fresh } = await world.open('/go', {
      ...phone,
      role: 'staff',
      serviceWorkers: 'block',
      prepare,
    });
    await fresh.getByText(/^Reservations that could not be read: [1-9]/).waitFor();
    expect(await fresh.getByText('No reservation has a next step now.').count()).toBe(0);
    await fresh.unroute(views);
    await fresh.locator('.notice').getByRole('button', { name: 'Try again' }).tap();
    await fresh.locator('.job').first().waitFor();
    await fresh.getByText('Reservations that could not be read').waitFor({ state: 'detached' });
    await fresh.context().close();
  }, 120_000);

  it('no card moves below the finger: a new one is below the others until they are sorted', async () => {
    await page.goto(`${world.at.api}/go?of=all`);
    await page.locator('.job .steps').waitFor();
    const plates = () => page.locator('.job h2 .plate').allTextContents();
    const before = await plates();
    const { id, plate } = await world.book(3_600_000);
    await page.locator('.job', { hasText: `#${id}` }).waitFor();
    expect(await plates()).toEqual([...before, plate]);
    await page.getByRole('button', { name: /^Sort \d+ changed rows$/ }).tap();
    await expect.poll(plates).toEqual([plate, ...before]);
    await world.customer(id, 'cancel');
    await page.locator('.job', { hasText: plate }).first().getByText('No longer listed').waitFor();
    expect(await plates()).toEqual([plate, ...before]);
  }, 120_000);

  it('a login that ends loses nothing, and a refusal stops its reservation and states what to do', async () => {
    const { id, plate } = await world.book(9 * 3_600_000);
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, {
      staffName: 'Kim',
      staffPhone: '01000000000',
    });
    await page.goto(`${world.at.api}/go?of=all&job=${id}`);
    await cardOf(plate).getByRole('button', { name: 'Start dispatch' }).waitFor();
    await context.setOffline(true);
    await cardOf(plate).getByRole('button', { name: 'Start dispatch' }).tap();
    await take(cardOf(plate), 'Parking photo');
    // meanwhile the customer cancels, and the login ends
    await world.customer(id, 'cancel');
    await expect.poll(async () => (await world.ask('GET', `/api/reservations/${id}`)).status.code).toBe(40);
    await context.clearCookies();
    await context.setOffline(false);
    await page.locator('dialog input[name="token"]').fill(world.at.tokens.staff);
    expect(await stored()).toEqual([2, 1]);
    await page.locator('dialog button[type="submit"]').tap();

    await page.locator('.queue .refusal').waitFor();
    expect(await queued().count()).toBe(2);
    for (let left = 2; left > 0; left--) {
      await queued().first().locator('.refusal').waitFor();
      await queued().first().getByRole('button', { name: 'Remove' }).tap();
      await page.locator('dialog button[type="submit"]').tap();
      await expect.poll(() => queued().count()).toBe(left - 1);
    }
    expect(await stored()).toEqual([0, 0]);
    expect(await inJournal('dispatchParkingImage', id)).toBe(0);
  }, 120_000);

  it('logging out warns where something waits, and leaves nothing on the phone', async () => {
    const { plate, id } = await world.book(13 * 3_600_000);
    await page.goto(`${world.at.api}/go?of=all&job=${id}`);
    await cardOf(plate).getByRole('button', { name: 'Assign dispatch staff' }).waitFor();
    await context.setOffline(true);
    await cardOf(plate).getByRole('button', { name: 'Assign dispatch staff' }).tap();
    await page.locator('dialog input[name="staffName"]').fill('Kim');
    await page.locator('dialog input[name="staffPhone"]').fill('01000000000');
    await page.locator('dialog button[type="submit"]').tap();
    await expect.poll(() => stored()).toEqual([1, 0]);
    await page.locator('button.user').tap();
    await page.getByRole('button', { name: 'Log out' }).tap();
    expect(await stored()).toEqual([1, 0]);
    await page.getByRole('button', { name: 'Delete and log out' }).tap();
    // the service does not know of it, so it offers no login; also after a reload, which the service worker answers
    const notice = page.getByText('You are logged out here.');
    await notice.waitFor();
    expect(await page.locator('input[name="token"]').count()).toBe(0);
    expect(await context.cookies()).toHaveLength(1);
    // from here on the first request of the page may reach the service: the browser sets a page that it loads offline a moment later
    await page.reload();
    await notice.waitFor();
    expect(await page.getByText(plate).count()).toBe(0);
    await context.setOffline(false);
    await page.locator('input[name="token"]').waitFor();
    expect(await context.cookies()).toEqual([]);
    expect(await stored()).toEqual([0, 0]);
    expect(await inJournal('dispatchStaff', id)).toBe(0);
  }, 120_000);
});

/** A JPEG of 3000 by 2000 pixels with a comment where cameras write the place. */
async function jpegWithLocation(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 2000 });
    canvas.getContext('2d').fillRect(0, 0, 3000, 2000);
    return canvas.toDataURL('image/jpeg').split(',')[1];
  })()`);
  const jpeg = Buffer.from(base64, 'base64');
  const text = Buffer.from(`Exif\0\0${location}`);
  const head = Buffer.from([0xff, 0xe1, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)]);
}

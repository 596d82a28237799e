import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { jpeg } from '../support/sandbox-client.js';

const within = { timeout: 60_000 };
const staff = { staffName: 'Kim Staff', staffPhone: '01000000001' };
const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg) };
const hour = 3_600_000;

describe.skipIf(!hasBrowser)(`the Now screen${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  const booked: { id: number; plate: string }[] = [];
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    for (const hours of [3, 4]) booked.push(await world.book(hours * hour));
  }, 240_000);
  afterAll(() => world?.stop());

  // of one car there may be several
  const rowOf = (page: Page, id: number) =>
    page.locator('.board-row', { has: page.locator(`a[href="/r/${id}"]`) });
  const platesOf = (page: Page) => page.locator('.lane.dueOut .plate').allTextContents();
  const reservation = (index: number) => {
    const found = booked[index];
    if (found === undefined) throw new Error('not booked');
    return found;
  };

  it('shows in one browser what another did, in the same place', async () => {
    const { id, plate } = reservation(0);
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
    const [first, second] = [await world.open('/'), await world.open('/')];
    for (const { page } of [first, second]) await rowOf(page, id).getByText('Booked').waitFor(within);
    const before = await platesOf(second.page);
    const step = rowOf(first.page, id).getByRole('button', { name: `Start dispatch ${plate}` });
    await step.dblclick(within);
    for (const { page } of [first, second]) await rowOf(page, id).getByText('On the way out').waitFor(within);
    expect(await platesOf(second.page)).toEqual(before);
    const { commands } = await world.ask('GET', `/api/reservations/${id}`);
    expect(commands).toHaveLength(2);
    expect([...first.problems, ...second.problems]).toEqual([]);
  }, 120_000);

  it('has one stream of changes for all pages of a browser; with the page that has it, it moves to another', async () => {
    const { id } = reservation(1);
    const streams: string[] = [];
    const { page, problems } = await world.open('/', {
      prepare: async (first) => {
        first.context().on('request', (request) => {
          if (request.url().endsWith('/api/changes')) streams.push(request.url());
        });
      },
    });
    await page.locator('.live.live').waitFor(within);
    const other = await page.context().newPage();
    await other.goto(`${world.at.api}/`);
    await other.locator('.live.live').waitFor(within);
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, { ...staff, staffName: 'Park Staff' });
    for (const one of [page, other]) await rowOf(one, id).getByText('Park Staff').waitFor(within);
    expect(streams).toHaveLength(1);
    await page.close();
    await expect.poll(() => streams.length, within).toBe(2);
    await world.ask('PUT', `/api/reservations/${id}/dispatch/start`, {});
    await rowOf(other, id).getByText('On the way out').waitFor(within);
    expect(problems).toEqual([]);
  }, 120_000);

  it('finds what a person drives or dispatches by the whole name', async () => {
    const { id, plate } = reservation(0);
    const { page, problems } = await world.open('/');
    await rowOf(page, id).waitFor(within);
    for (const name of ['kimstaff', '<img src=x onerror=alert(1)>']) {
      await page.keyboard.press('Control+K');
      const palette = page.getByRole('dialog', { name: 'Search and commands' });
      await palette.getByRole('combobox').fill(name);
      await palette.getByRole('option', { name: `${plate} #${id} ` }).waitFor(within);
      await palette.getByRole('combobox').fill('kim');
      await palette.getByText('Nothing is found.').waitFor(within);
      await page.keyboard.press('Escape');
    }
    expect(problems).toEqual([]);
  }, 120_000);

  it('is filtered by its address, also after a reload and another screen', async () => {
    const [{ id, plate }, other] = [reservation(0), reservation(1)];
    const { page, problems } = await world.open('/');
    await rowOf(page, other.id).waitFor(within);
    // a busy machine draws no frame before the next key
    await page.evaluate('globalThis.drawFrame = requestAnimationFrame; requestAnimationFrame = () => 0');
    await page.keyboard.press('f');
    expect(await page.locator('#board-filter:focus').count()).toBe(1);
    await page.evaluate('requestAnimationFrame = drawFrame');
    await page.keyboard.type(String(id));
    await page.keyboard.press('Enter');
    await rowOf(page, other.id).waitFor({ ...within, state: 'detached' });
    await rowOf(page, id).waitFor(within);
    const lane = page.getByRole('combobox', { name: 'Lane' });
    await lane.selectOption({ label: 'Due out' });
    expect(await page.locator('.lane').count()).toBe(1);
    expect(new URL(page.url()).search).toBe(`?q=${id}&lane=dueOut`);
    await page.reload();
    await rowOf(page, id).waitFor(within);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByText(plate).first().waitFor(within);
    await page.getByRole('link', { name: 'Now' }).click();
    await rowOf(page, id).waitFor(within);
    expect(new URL(page.url()).search).toBe(`?q=${id}&lane=dueOut`);
    await lane.selectOption({ label: 'To recall' });
    await page.getByText('Nothing matches the filter.').waitFor(within);
    await page.getByRole('link', { name: 'Clear' }).click();
    await rowOf(page, other.id).waitFor(within);
    expect(problems).toEqual([]);
  }, 120_000);

  it('stays as it is when the login ends, and continues after another one of the same person', async () => {
    const { id } = reservation(1);
    const { page } = await world.open('/');
    await rowOf(page, id).getByRole('checkbox').check(within);
    await page.context().clearCookies();
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
    const login = page.getByRole('dialog');
    await login.getByText('Your login has ended').waitFor(within);
    // a browser closes a dialog by the second one, whatever the page wants
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
    await login.getByLabel('Token').fill(world.at.tokens.manager);
    await login.getByRole('button', { name: 'Log in' }).click();
    await rowOf(page, id).getByText('Kim Staff').waitFor(within);
    expect(await rowOf(page, id).getByRole('checkbox').isChecked()).toBe(true);
    // another person gets a page of their own
    await page.context().clearCookies();
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, { ...staff, staffName: 'Lee Staff' });
    await login.getByLabel('Token').fill(world.at.tokens.staff);
    await login.getByRole('button', { name: 'Log in' }).click();
    await rowOf(page, id).getByText('Lee Staff').waitFor(within);
    await expect.poll(() => rowOf(page, id).getByRole('checkbox').isChecked()).toBe(false);
  }, 120_000);

  it('shows viewers plates, no staff and no button, and hides personal data of a reservation', async () => {
    const { id, plate } = reservation(0);
    const { page, problems } = await world.open('/', { role: 'viewer' });
    await page.locator('.board-row').first().waitFor(within);
    expect(await rowOf(page, id).getByText(plate).count()).toBe(1);
    expect(await page.getByText('Kim Staff').count()).toBe(0);
    expect(await page.locator('.board-row button, .board-row input').count()).toBe(0);
    await page.locator(`a[href="/r/${id}"]`).click();
    await page.getByText('Hidden for viewers').first().waitFor(within);
    expect(await page.locator('.rung button, .head .primary').count()).toBe(0);
    expect(await page.getByText('onerror').count()).toBe(0);
    expect(problems).toEqual([]);
  }, 120_000);

  it('shows staff the next step, and managers also what only they may do', async () => {
    const { id } = reservation(1);
    for (const [role, count] of [
      ['staff', 0],
      ['manager', 1],
    ] as const) {
      const { page, problems } = await world.open(`/r/${id}`, { role });
      await page.locator('.head .primary').first().waitFor(within);
      await page.getByText('<img src=x onerror=alert(1)>').first().waitFor(within);
      expect(await page.getByRole('button', { name: 'Assert facts' }).count()).toBe(count);
      expect(problems).toEqual([]);
    }
  }, 120_000);

  it('is at the same place after a visit of a reservation', async () => {
    const { page } = await world.open('/', { viewport: { width: 360, height: 300 } });
    await rowOf(page, reservation(0).id).waitFor(within);
    await page.evaluate('scrollTo(0, 300)');
    const scrolled = () => page.evaluate<number>('scrollY');
    const place = await scrolled();
    expect(place).toBeGreaterThan(0);
    await page.evaluate(`document.querySelector('.board-row a').click()`);
    await page.locator('.head').waitFor(within);
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(place);
  }, 120_000);

  it('shows why a claim is refused, in the language of the user', async () => {
    // so near that it needs attention
    const { id } = await world.book(0.5 * hour);
    const kind: string = await eventually('it needs attention', async () => {
      const { attention } = await world.ask('GET', `/api/reservations/${id}`);
      return attention[0]?.kind;
    });
    const { page, problems } = await world.open(`/r/${id}`, { role: 'staff', locale: 'ko-KR' });
    // the manager is first
    const claim = async (route: Route) => {
      await world.ask('PUT', `/api/reservations/${id}/attention/${kind}/claim`, {});
      await route.continue();
    };
    await page.route('**/claim', claim, { times: 1 });
    const menu = page.locator('.owner-menu:popover-open');
    await page.getByRole('button', { name: '담당자 없음' }).first().click(within);
    await menu.getByRole('button', { name: '내가 담당', exact: true }).click();
    await menu
      .getByRole('alert')
      .getByText('다른 사람이 담당하는 항목입니다. 협의한 뒤 넘겨받으세요')
      .waitFor(within);
    // it stays until the next step
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '담당자: manager. 거절되었습니다.' }).click(within);
    expect(await menu.getByRole('alert').count()).toBe(1);
    await menu.getByRole('button', { name: 'manager 대신 내가 담당' }).click();
    await menu.waitFor({ ...within, state: 'hidden' });
    await page.getByRole('button', { name: '담당자: staff' }).waitFor(within);
    expect(problems).toEqual([]);
  }, 120_000);

  it('shows in one browser how the reservation of a row was closed in another, in the same place', async () => {
    const [{ id, plate }, cancelled] = [await world.book(), await world.book(3 * hour)];
    const put = (step: string, body: object) => world.ask('PUT', `/api/reservations/${id}/${step}`, body);
    await put('dispatch/staff', staff);
    await put('dispatch/start', {});
    await put('dispatch/complete', { override: true, reason: 'no photo needed' });
    await world.customer(id, 'start-use');
    await world.customer(id, 'return');
    const [first, second] = [await world.open('/'), await world.open('/')];
    for (const { page } of [first, second]) await rowOf(page, id).getByText('Returned').waitFor(within);
    await put('recall/staff', staff);
    const chooser = first.page.waitForEvent('filechooser');
    await rowOf(first.page, id)
      .getByRole('button', { name: `Return photo ${plate}` })
      .click(within);
    await (await chooser).setFiles(photo);
    await rowOf(first.page, id)
      .getByRole('button', { name: `Complete recall ${plate}` })
      .click(within);
    const isClosed = async (of: number, status: string, icon: string) => {
      // without input for a minute the rows are sorted
      await second.page.mouse.move(of % 100, 1);
      const row = rowOf(second.page, of);
      const mark = row.locator('.mark', { hasText: status });
      await mark.waitFor(within);
      expect(await mark.locator('use').getAttribute('href')).toBe(`#icon-${icon}`);
      expect(await row.getByText('No longer listed').count()).toBe(1);
      expect(await row.getByRole('checkbox').count()).toBe(0);
    };
    await isClosed(id, 'Recalled', 'done');
    await world.customer(cancelled.id, 'cancel');
    await isClosed(cancelled.id, 'Cancelled', 'cancelled');
    expect([...first.problems, ...second.problems]).toEqual([]);
  }, 120_000);
});

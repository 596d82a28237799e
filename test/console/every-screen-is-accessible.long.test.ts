import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { bookingOf, ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { booking, createSureClient } from '../support/platform-client.js';

const within = { timeout: 60_000 };
const hourMs = 3_600_000;
const staff = { staffName: 'Kim Staff', staffPhone: '01000000001' };

/** What is too small for a finger: links within text and boxes within a large label excepted. The width of a bar is its period. */
const smallTargets = `[...document.querySelectorAll('a, button, summary, select, .select-row, input:not([type=checkbox], [type=radio])')]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'inline' && !one.matches('.plate-link'))
  .filter((one) => one.getBoundingClientRect().height < 43.5 || (one.getBoundingClientRect().width < 43.5 && !one.matches('.taken')))
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Lines of the present that are not below the one of the axis. */
const apartFromAxis = `(() => {
  const [axis, ...rows] = [...document.querySelectorAll('.now-line')].map((one) => one.getBoundingClientRect().left);
  return rows.filter((left) => Math.abs(left - axis) > 1);
})()`;

/** What a sentence of the API has; the console writes it shorter. */
const timeOfApi = /\d{4}-\d\d-\d\dT/;

/** Marks and bars whose icon and text are those of another one that has other colours: what they differ in is the colour alone. */
const sameButForColour = `(() => {
  const looks = new Map();
  for (const one of document.querySelectorAll('.mark, .taken')) {
    const shown = [...one.querySelectorAll('use')].map((use) => use.getAttribute('href')).join() + one.textContent.trim();
    looks.set(shown, (looks.get(shown) ?? new Set()).add(one.className.replace('dashed', '').trim()));
  }
  return [...looks].filter(([shown, classes]) => shown === '' || classes.size > 1).map(([shown]) => shown);
})()`;

/** What only a person resolves: a command and a booking without an outcome. */
async function makeDoubts(world: ConsoleWorld, reservationId: number): Promise<void> {
  const lost = { kind: 'reset', applied: false };
  await world.faults({
    calls: [
      { operation: 'dispatchStaff', reservationId, effect: lost },
      { operation: 'book', nth: 1, effect: lost },
    ],
  });
  await world.ask('PUT', `/api/reservations/${reservationId}/dispatch/staff`, staff);
  const { outcome } = await world.ask('POST', '/api/reservations', bookingOf(301, Date.now() + 60 * hourMs));
  expect(outcome).toBe('unknown');
}

let hours = 50;
/** An entry of the schedule without a reservation, until a later callback reports it. */
async function makeFinding(world: ConsoleWorld): Promise<void> {
  await world.faults({ callbacks: [{ event: '*', effect: { kind: 'drop' }, times: 20 }] });
  const keys = world.deployment.platformKeys();
  const platform = createSureClient({ baseUrl: world.at.sandbox, profile: defaultProfile, keys });
  hours += 10;
  const startAt = Date.now() + hours * hourMs;
  await platform
    .book({ ...booking, productId: 301, startAt, endAt: startAt + 2 * hourMs })
    .finally(() => platform.close());
  await eventually('it is found', async () => {
    const { items } = await world.ask('GET', '/api/findings?state=open');
    return items.length > 0;
  });
}

describe.skipIf(!hasBrowser)(`every screen${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let id: number;
  let carId: number;
  let doubtful: number;
  beforeAll(async () => {
    world = await ConsoleWorld.start({ RECONCILE_EVERY: 'PT2S' });
    // so near that it needs attention
    ({ id } = await world.book(30 * 60_000));
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
    carId = (await world.ask('GET', `/api/reservations/${id}`)).car.id;
    ({ id: doubtful } = await world.book());
    await makeDoubts(world, doubtful);
  }, 240_000);
  afterAll(() => world?.stop());

  /** The screens, and the keys that open a form, a list or a menu there. */
  const keysOf = (): Record<string, string[]> => ({
    '/': ['?', 'Control+k', '.', 'c'],
    [`/r/${id}`]: ['f', 'r'],
    [`/r/${doubtful}`]: ['u'],
    '/go': [],
    '/cars': [],
    [`/cars?car=${carId}`]: ['h', 'm', 'v'],
    '/in': [],
    '/in?id=1': ['r'],
    '/in?view=findings': ['r'],
    '/in?view=bookings': ['r'],
    '/in?view=dead': [],
    '/shift': ['a'],
  });
  const paths = () => Object.keys(keysOf());
  /** Rows of a screen, where there are any, follow their frame. */
  const isShown = (page: Page) =>
    page.locator('.panel, .job, .car-row').filter({ visible: true }).first().waitFor(within);
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'ko-KR'].map((locale) => ({ colorScheme, locale })),
  );

  it.each(looks)(
    'has no violation in $colorScheme and $locale',
    async (look) => {
      for (const [path, keys] of Object.entries(keysOf())) {
        if (path === '/in?view=findings') await makeFinding(world);
        const { page } = await world.open(path, look);
        await isShown(page);
        expect(await page.evaluate('document.body.innerText'), path).not.toMatch(timeOfApi);
        expect(await violationsOf(page), path).toEqual([]);
        expect(await page.evaluate(sameButForColour), path).toEqual([]);
        for (const key of keys) {
          // rows and the drawer of a car are loaded after their frame; the list of keys has no button
          if (key !== '?')
            await expect
              .poll(() => page.locator(`[aria-keyshortcuts="${key}"]`).count(), {
                ...within,
                message: `${path} has a button of ${key}`,
              })
              .toBeGreaterThan(0);
          await page.keyboard.press(key);
          const opened = page.locator('dialog[open], .menu:popover-open');
          await opened.waitFor(within);
          expect(await violationsOf(page), `${path} ${key}`).toEqual([]);
          await page.keyboard.press('Escape');
          await opened.waitFor({ ...within, state: 'detached' });
        }
        await page.context().close();
      }
    },
    240_000,
  );

  it('shows sentences of the service in the language of the user, also when that changes', async () => {
    const { page, problems } = await world.open(`/r/${id}`, { locale: 'ko-KR' });
    const story = page.locator('.timeline');
    await story.getByText('manager 님이 요청했습니다: 배차 담당 지정').waitFor(within);
    await story.getByText(/^확인이 필요합니다: 배차 미출발\(dispatch-not-started\)/).waitFor();
    await page
      .getByText(/배차가 출발하지 않았습니다\. 대여 시작:/)
      .first()
      .waitFor();
    await page.locator('.user').click();
    await page
      .locator('#user-menu')
      .getByText(/UTC[+-]\d\d:\d\d/)
      .waitFor();
    await page.locator('#user-menu').getByText('English').click();
    await story.getByText('manager requested "assign dispatch staff"').waitFor(within);
    await page
      .getByText(/Dispatch has not started, and the rental starts at/)
      .first()
      .waitFor();
    expect(await story.getByText(/[가-힣]+습니다/).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 120_000);

  it.each(looks)(
    'has no violation on the login page in $colorScheme and $locale',
    async (look) => {
      const page = await (await world.browser.newContext(look)).newPage();
      await page.goto(world.at.api);
      await page.locator('form').waitFor(within);
      expect(await violationsOf(page)).toEqual([]);
      await page.context().close();
    },
    120_000,
  );

  it('fits 360 pixels, and everything there is large enough for a finger', async () => {
    for (const path of paths()) {
      const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
      const { page } = await world.open(path, phone);
      await isShown(page);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360);
      expect(await page.evaluate(smallTargets), path).toEqual([]);
      expect(await page.evaluate(apartFromAxis), path).toEqual([]);
      await page.context().close();
    }
  }, 240_000);
});

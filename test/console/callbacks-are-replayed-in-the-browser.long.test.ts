import { Client, Connection } from '@temporalio/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import { fitsWidth, violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { bookingOf, ConsoleWorld } from '../support/console.js';

const xss = '<img src=x onerror=alert(1)>';

describe.skipIf(!hasBrowser)(`the screen Callbacks${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let reservation: { id: number; plate: string };
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    reservation = await world.book();
  }, 240_000);
  afterAll(() => world?.stop());

  /** A control of the sandbox. */
  const control = (method: string, path: string, body: object) =>
    fetch(`${world.at.sandbox}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const count = (page: Page, tab: string) => page.locator(`.tabs a:has-text("${tab}") .count`).textContent();

  /** A booking whose answer is lost. @returns its id */
  const loseBooking = async (startsInHours: number): Promise<string> => {
    await world.faults({ calls: [{ operation: 'book', nth: 1, effect: { kind: 'reset', applied: false } }] });
    const body = bookingOf(301, Date.now() + startsInHours * 3_600_000);
    const { outcome, commandId } = await world.ask('POST', '/api/reservations', body);
    expect(outcome).toBe('unknown');
    return commandId;
  };

  it('finds a callback by its reservation; its verdict has the rule in words, its values, its effect and its body', async () => {
    const { page, problems } = await world.open('/in');
    await page.getByLabel('Reservation').fill(String(reservation.id));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/in\?reservation=/);
    await page.locator('.callback-row a').last().click();
    const story = page.locator('.callback');
    await story.getByText('Applied').first().waitFor();
    const text = await story.textContent();
    expect(text).toMatch(/L\d\d/);
    expect(text).toContain('What it changed');
    expect(text).toContain(reservation.plate);
    expect(text).toContain(xss);
    await story.locator('summary').click();
    expect(await story.locator('.raw').textContent()).toContain('"reservationId"');
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a viewer sees neither the body nor personal values, and cannot replay', async () => {
    const { page } = await world.open(`/in?reservation=${reservation.id}`, { role: 'viewer' });
    await page.locator('.callback-row a').last().click();
    await page.locator('.callback').getByText('What it reports').waitFor();
    expect(await page.locator('.callback summary').count()).toBe(0);
    const text = await page.locator('.callback').textContent();
    expect(text).toContain('Hidden for viewers');
    expect(text).not.toContain(xss);
    expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
  });

  it('replays with a preview; 202 is awaited, and the new verdict is shown in place', async () => {
    await control('POST', '/callbacks', { kind: 'registration', body: 'not JSON' });
    const { page } = await world.open('/in?verdict=invalid', {
      viewport: { width: 1280, height: 800 },
    });
    await page.locator('.callback-row a').first().click();
    await page.getByText('It cannot be read:').waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing would change in its reservation.').waitFor();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    expect(await dialog.locator('textarea:invalid').count()).toBe(1);
    await dialog.getByLabel('Reason').fill('the profile was repaired');
    await dialog.getByRole('button', { name: 'Replay' }).dblclick();
    await dialog.getByText('Read again. Verdict: Invalid.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Replay 1, by manager').waitFor();
    const { items } = await world.ask('GET', '/api/audit?action=inbox.replay');
    expect(items).toHaveLength(1);
    expect(items[0].reason).toBe('the profile was repaired');
  });

  it('resolves a booking whose answer was lost, with a reason', async () => {
    const commandId = await loseBooking(90);
    const { page } = await world.open('/in?view=bookings');
    await page.getByText(commandId).waitFor();
    expect(await count(page, 'Bookings')).toBe('1');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('The platform has no such reservation').check();
    await page.getByLabel('Reason').fill('the web site shows none');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Applied.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('The outcome of every booking is known.').waitFor();
  });

  it('what waits for a decision stays in place: a new row is counted, and one that was decided meanwhile stays marked', async () => {
    const first = await loseBooking(100);
    const { page } = await world.open('/in?view=bookings');
    const rows = page.locator('.item');
    await rows.getByText(first).waitFor();
    const top = (await rows.first().boundingBox())?.y;
    const second = await loseBooking(110);
    const sort = page.getByRole('button', { name: 'Show 1 new' });
    await sort.waitFor();
    expect([await rows.count(), (await rows.first().boundingBox())?.y]).toEqual([1, top]);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('s');
    await rows.getByText(second).waitFor();
    const decide = (commandId: string) =>
      world.ask('POST', `/api/bookings/${commandId}/resolve`, { outcome: 'rejected', reason: 'not there' });
    await decide(second);
    const left = rows.filter({ hasText: second });
    await left.getByText('No longer listed').waitFor();
    expect([await rows.count(), await left.getByRole('button').count()]).toEqual([2, 0]);
    await decide(first);
    await page.getByText('The outcome of every booking is known.').waitFor();
  });

  it('a callback that was given up is a dead letter, with its reason and its way to a replay', async () => {
    const { id } = await world.book(70 * 3_600_000);
    const connection = await Connection.connect({ address: world.at.temporal });
    const { workflow } = new Client({ connection });
    await workflow.getHandle(reservationWorkflowId(id)).terminate('by hand');
    await connection.close();
    await world.customer(id, 'cancel');
    const { page, problems } = await world.open('/in?view=dead');
    const item = page.locator('.item', { hasText: `→ ${id}` });
    // the relay tries for some two minutes
    await item.first().waitFor({ timeout: 240_000 });
    expect(await item.first().textContent()).toMatch(/Failures: \d/);
    expect(await violationsOf(page)).toEqual([]);
    await item.first().getByRole('link', { name: 'Open' }).click();
    await page.getByText('It was given up.').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).isEnabled()).toBe(true);
    expect(problems).toEqual([]);
  }, 300_000);

  it('rows stay in place while callbacks arrive, until the user wants to see them', async () => {
    const { page } = await world.open('/in');
    const first = page.locator('.callback-row a').first();
    const before = await first.textContent();
    const top = (await first.boundingBox())?.y;
    await control('POST', '/callbacks', { kind: 'update', body: 'not JSON' });
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor();
    expect(await first.textContent()).toBe(before);
    expect((await first.boundingBox())?.y).toBe(top);
    await page.keyboard.press('s');
    await page.locator('.callback-row a', { hasText: 'Update' }).first().getByText('Invalid').waitFor();
    expect(await first.textContent()).not.toBe(before);
  });

  it.each(['light', 'dark'] as const)('is clean on a phone of 360 px, in Korean, %s', async (colorScheme) => {
    const { page } = await world.open('/in', {
      locale: 'ko-KR',
      colorScheme,
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await page.locator('.callback-row a').last().click();
    await page.getByText('보고한 내용').waitFor();
    expect(await page.locator('.callback-list').isVisible()).toBe(false);
    expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
    for (const view of ['findings', 'dead']) {
      await page.locator(`.tabs a[href$=${view}]`).click();
      await page.locator('.empty').first().waitFor();
      expect([await violationsOf(page), await fitsWidth(page)]).toEqual([[], true]);
    }
  });
});

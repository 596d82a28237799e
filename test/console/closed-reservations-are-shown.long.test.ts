import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';

const staff = { staffName: 'Dana', staffPhone: '01011112222' };

describe.skipIf(!hasBrowser)(`a closed reservation${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let closed: { id: number; plate: string; carId: number };
  beforeAll(async () => {
    world = await ConsoleWorld.start({ HANDOVER_SETTLE: 'PT2S' });
    const { id, plate } = await world.book();
    const { car } = await world.ask('GET', `/api/reservations/${id}`);
    closed = { id, plate, carId: car.id };
    // an outcome that no person resolves
    const effect = { kind: 'reset', applied: false };
    await world.faults({ calls: [{ operation: 'dispatchStaff', reservationId: id, effect }] });
    await world.ask('PUT', `/api/reservations/${id}/dispatch/staff`, staff);
    await eventually('the outcome is unknown', async () => {
      const { attention } = await world.ask('GET', `/api/reservations/${id}`);
      return attention.some(({ kind }: { kind: string }) => kind === 'command-unknown');
    });
    await world.customer(id, 'cancel');
    await eventually('it is closed with the item open', async () => {
      const { items } = await world.ask('GET', `/api/reservations?closed=true&attention=command-unknown`);
      return items.some(({ reservationId }: { reservationId: number }) => reservationId === id);
    });
  }, 240_000);
  afterAll(() => world?.stop());

  it('is beside the open ones of its car, which the bars show alone', async () => {
    const { page, problems } = await world.open(`/cars?car=${closed.carId}`);
    const link = page.locator('.drawer').getByRole('link', { name: `#${closed.id}`, exact: true });
    await link.waitFor();
    expect(await page.locator('.bars').getByText(String(closed.id)).count()).toBe(0);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByText('Past days show open reservations only').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await link.click();
    await page.waitForURL(`**/r/${closed.id}`);
    expect(problems).toEqual([]);
  });

  it('L47: offers nothing on an item that it left open', async () => {
    const { page, problems } = await world.open(`/r/${closed.id}`);
    const item = page.locator('.attention-items .item', { hasText: 'Outcome unknown' });
    await item.getByText('Open at the closing').waitFor();
    expect(await item.getByRole('button').count()).toBe(0);
    // nor on the command itself
    expect(await page.getByRole('button', { name: /Resolve|Claim/ }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('L47: its item is neither open nor resolved in the shift', async () => {
    const { page, problems } = await world.open('/shift');
    const item = page.locator('li', { hasText: `#${closed.id}` }).filter({ hasText: 'Outcome unknown' });
    await item.getByText('Open at the closing').waitFor();
    const total = async (name: string) =>
      page.locator('.totals div', { hasText: name }).locator('dd').textContent();
    expect(await Promise.all(['Resolved', 'Left open', 'Still open'].map(total))).toEqual(['0', '1', '0']);
    expect(problems).toEqual([]);
  });
});

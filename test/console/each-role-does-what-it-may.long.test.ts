import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';

const hour = 3_600_000;
const roles = ['viewer', 'staff', 'manager'] as const;
type Role = (typeof roles)[number];

describe.skipIf(!hasBrowser)(`viewer, staff and manager${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let booked: { id: number; plate: string };
  let carId: number;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    booked = await world.book(3 * hour);
    const { car } = await eventually('the car is known', async () => {
      const view = await world.ask('GET', `/api/reservations/${booked.id}`);
      return view.car?.id === undefined ? undefined : view;
    });
    carId = car.id;
  }, 240_000);
  afterAll(() => world?.stop());

  const open = async (path: string, role: Role) => (await world.open(path, { role })).page;

  it.each(roles)(
    'Callbacks: the body is shown, and a replay offered, to managers alone: %s',
    async (role) => {
      const page = await open(`/in?reservation=${booked.id}`, role);
      await page.locator('.callback-row a').last().click();
      await page.locator('.callback').getByText('What it reports').waitFor();
      if (role === 'manager') await page.locator('.callback summary').first().click();
      const text = await page.locator('.callback').textContent();
      expect(text?.includes('Hidden for viewers')).toBe(role === 'viewer');
      expect(await page.locator('.callback .raw').count()).toBe(role === 'manager' ? 1 : 0);
      expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(role === 'manager' ? 1 : 0);
    },
  );

  it.each(roles)('Cars: staff hold a car, managers also change its sale: %s', async (role) => {
    const page = await open(`/cars?car=${carId}`, role);
    await page.locator('.drawer').getByText('No hold.').waitFor();
    await page.locator('.drawer').getByText('On sale').first().waitFor();
    const offered = (await page.locator('.drawer').getByRole('button').allTextContents()).map((text) =>
      text.trim(),
    );
    expect(offered.includes('New hold')).toBe(role !== 'viewer');
    expect(offered.includes('Take off sale')).toBe(role === 'manager');
  });

  it.each(roles)('Shift: staff accept it, managers also see the audit, viewers neither: %s', async (role) => {
    const page = await open('/shift', role);
    const region = (name: string) => page.getByRole('region', { name });
    if (role === 'viewer') await page.getByText('staff and managers').waitFor();
    else await region('Who did what').waitFor();
    const accept = page.getByRole('button', { name: 'Accept the shift' });
    expect(await accept.count()).toBe(role === 'viewer' ? 0 : 1);
    if (role === 'manager') await region('Audit').waitFor();
    else expect(await region('Audit').count()).toBe(0);
  });

  it.each(roles)('Field: viewers see the jobs, and do none: %s', async (role) => {
    const page = await open(`/go?of=all&job=${booked.id}`, role);
    await page.locator('.job', { hasText: booked.plate }).first().waitFor();
    expect(await page.getByText('Viewers see the jobs').count()).toBe(role === 'viewer' ? 1 : 0);
    const steps = page.locator('.job.open .steps').getByRole('button');
    expect((await steps.count()) > 0).toBe(role !== 'viewer');
  });
});

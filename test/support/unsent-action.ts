import { expect } from 'vitest';
import { car, company, hour, skippingEarlierSteps, type TestReservation } from './reservations.js';

/** A reservation, and a staff action whose request no worker can begin: it waits, and nothing was sent. */
export async function actUnsent(rental: TestReservation): Promise<void> {
  const now = Date.now();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  await rental.deliver(rental.event({ status: 5, period, car, company }));
  const { command } = await rental.sendAction('dispatch.start', skippingEarlierSteps);
  expect(command).toMatchObject({ outcome: 'waiting', code: 'NOT_STARTED', attempts: 0 });
}

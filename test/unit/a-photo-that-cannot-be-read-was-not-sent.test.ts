import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { commandActivities, type ReadPhoto } from '../../activities/reservation.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { FakeAttempts } from '../support/attempts.js';
import { noRoles } from '../support/roles.js';

afterEach(() => vi.useRealTimers());

const attempt = {
  reservationId: 1,
  idempotencyKey: 'key',
  body: { photo: { hash: 'ab'.repeat(32), type: 'image/png', size: 68 } },
};
const names = ['dispatchParkingImage', 'dispatchCarImage', 'recallCarImage'] as const;

/** The three photo commands over a platform that must not be called. */
function answers(readPhoto: ReadPhoto) {
  const untouched = new Proxy({} as PlatformClient, {
    get: (_, operation) => () => {
      throw new Error(`${String(operation)} was called`);
    },
  });
  const client = {} as unknown as Client;
  const sending = { gate: noRoles.gate, attempts: new FakeAttempts(), client };
  const activities = commandActivities(untouched, readPhoto, sending);
  return Promise.all(names.map((name) => new MockActivityEnvironment().run(activities[name], attempt)));
}
const storeAway = { kind: 'wait', code: 'PHOTO_STORE_UNAVAILABLE', keepsId: true };

it('L25, L30: a photo store that fails is no attempt: the photo waits and is sent when the store is back', async () => {
  expect(await answers(() => Promise.reject(new Error('down')))).toEqual(Array(3).fill(storeAway));
});

it('L25, L30: a silent photo store is no attempt either, before the attempt as a whole would count as sent', async () => {
  vi.useFakeTimers();
  const asked = answers(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await asked).toEqual(Array(3).fill(storeAway));
});

it('L23: a photo that the store no longer has is rejected with a text about what to do', async () => {
  const gone = { kind: 'refused', code: 'PHOTO_MISSING', forState: false };
  expect(await answers(async () => undefined)).toEqual(Array(3).fill(expect.objectContaining(gone)));
});

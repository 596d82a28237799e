import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeIndexedDb } from '../../support/indexed-db.js';
import { loadModules, stubPage } from '../../support/page.js';

let database: FakeIndexedDb;
beforeEach(() => {
  database = new FakeIndexedDb();
  stubPage({ indexedDB: database });
});
afterEach(() => vi.unstubAllGlobals());

const entry = { order: 1, key: 'key-1', reservationId: 8421, action: 'dispatch.carImage', state: 'waiting' };
async function remove(shown: typeof entry, stored: typeof entry): Promise<(number | undefined)[]> {
  const { entries, photos } = database.stores;
  entries?.set(1, stored);
  photos?.set(1, 'photo');
  const [{ removeUnsent }] = await loadModules('console/offline/stored-entries.ts');
  await removeUnsent(shown);
  return [entries?.size, photos?.size];
}

it('an entry is removed as the user sees it, with its photo', async () => {
  expect(await remove(entry, entry)).toEqual([0, 0]);
});

it.each([
  ['is sent meanwhile', 'sending', 'key-1'],
  ['is accepted meanwhile', 'open', 'key-1'],
  ['is another attempt meanwhile', 'waiting', 'key-2'],
])('one that %s stays, with what becomes of it', async (_, state, key) => {
  expect(await remove(entry, { ...entry, state, key })).toEqual([1, 1]);
});

it('one that is being sent is not removed', async () => {
  const sending = { ...entry, state: 'sending' };
  expect(await remove(sending, sending)).toEqual([1, 1]);
});

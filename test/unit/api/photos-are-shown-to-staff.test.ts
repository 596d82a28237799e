import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ApiDeps } from '../../../src/api/deps.js';
import { DatabaseError } from '../../../src/store/connection/errors.js';
import { PhotoStoreError } from '../../../src/store/photos/answers.js';
import { PhotoError } from '../../../src/store/photos/photo-check.js';
import { fullView, personal, startApi, type TestApi } from '../../support/api.js';

const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(200)]);
const hash = 'ab'.repeat(32);
const lost = 'cd'.repeat(32);
const other = 'ef'.repeat(32);
const silent = '12'.repeat(32);
const path = (of = hash, id = 8421) => `/api/reservations/${id}/photos/${of}`;

let api: TestApi;
const photos: ApiDeps['photos'] = {
  putPhoto: () => Promise.reject(new Error('not here')),
  probe: async () => {},
  readPhoto: async (wanted) => {
    if (wanted === silent) throw new PhotoStoreError({ cause: new Error(`EIO ${personal}`) });
    if (wanted === lost) throw new PhotoError('PHOTO_NOT_FOUND', 'no photo');
    return new Uint8Array(bytes);
  },
};
beforeAll(async () => {
  api = await startApi({ photos });
});
afterAll(() => api.close());
beforeEach(() => {
  const view = fullView(8421);
  const { carImage } = view.dispatch;
  if (carImage === null) throw new Error('no photo');
  const shown = { ...carImage, hash, type: 'image/jpeg' };
  api.parts.views.set(8421, {
    ...view,
    dispatch: { ...view.dispatch, carImage: shown, parkingImage: { ...shown, hash: lost } },
    recall: { ...view.recall, carImage: { ...shown, hash: silent } },
  });
  api.parts.audited.length = 0;
});

it('a photo of the reservation is sent as it was made, and the audit has who read it', async () => {
  const response = await fetch(api.url + path(), { headers: { authorization: 'Bearer staff-token' } });
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(bytes.length),
  });
  expect(response.headers.has('etag')).toBe(false);
  const [entry] = api.parts.audited;
  expect(entry).toMatchObject({
    by: 'kim',
    action: 'photo.read',
    subject: 'reservation/8421',
    data: { photo: 'dispatch.carImage', hash },
  });
});

it('one person, photo and hour are one entry', async () => {
  await api.ask(path(), { as: 'staff' });
  await api.ask(path(), { as: 'staff' });
  await api.ask(path(), { as: 'manager' });
  const ids = api.parts.audited.map(({ commandId }) => commandId);
  const hour = Math.floor(Date.now() / 3_600_000);
  const early = [`photo.kim.8421.${hash}.${hour}`, `photo.kim.8421.${hash}.${hour - 1}`];
  expect(early).toContain(ids[0]);
  expect(ids[1]).toMatch(/^photo\.kim\./);
  expect(ids[2]).toMatch(/^photo\.lee\./);
});

it('a browser that had it before reads it by its login, as if for the first time', async () => {
  const ask = (as: 'staff' | undefined) => api.ask(path(), { as, headers: { 'if-none-match': `"${hash}"` } });
  expect((await ask('staff')).status).toBe(200);
  expect((await ask(undefined)).status).toBe(401);
  expect(api.parts.audited).toHaveLength(1);
});

it.each([
  ['a stored photo that the reservation does not show', path(other), 404, 'PHOTO_NOT_FOUND'],
  ['one that the photo store has lost', path(lost), 404, 'PHOTO_NOT_FOUND'],
  ['one of an unknown reservation', path(hash, 9), 404, 'RESERVATION_NOT_FOUND'],
  ['something that is no hash', path('..%2F..%2Fsecrets.json'), 400, 'INVALID_ID'],
])('%s is refused', async (_, url, status, code) => {
  const answer = await api.ask(url, { as: 'staff' });
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
});

it('while the photo store gives no answer, the answer says so, and that it may be repeated', async () => {
  const answer = await api.ask(path(silent), { as: 'staff' });
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 503,
    code: 'PHOTO_STORE_UNAVAILABLE',
  });
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(api.logged.join('')).not.toContain(personal);
});

it('what the audit cannot record is not shown', async () => {
  api.parts.onAudit = async () => {
    throw new DatabaseError('DATABASE_SILENT', 'no answer');
  };
  const answer = await api.ask(path(), { as: 'staff' });
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 503,
    code: 'STORE_UNAVAILABLE',
  });
  api.parts.onAudit = async (entry) => void api.parts.audited.push(entry);
});

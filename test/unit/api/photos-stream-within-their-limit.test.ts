import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isClosed } from '../../../src/domain/reservation/refusals.js';
import { openBlobStore } from '../../../src/store/photos/store.js';
import { destroyed } from '../../../src/store/sealing/data-keys.js';
import { ReservationEndedError } from '../../../src/temporal/client/reservations/errors.js';
import { EngineUnavailableError } from '../../../src/temporal/connection/unavailable.js';
import { fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421, { commands: [] }));
});
afterEach(() => api.close());

const parking = '/api/reservations/8421/dispatch/parkingImage';
const mebibyte = 1024 * 1024;

const jpeg = [0xff, 0xd8, 0xff];
function form(bytes: number | null, fields: Record<string, string> = {}, head = jpeg, name = 'image') {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.set(field, value);
  const content = new Uint8Array(bytes ?? 0).fill(7);
  content.set(head.slice(0, content.length));
  if (bytes !== null) data.set(name, new Blob([content], { type: 'image/jpeg' }), 'photo.jpg');
  return data;
}
const refusal = { code: 'OUT_OF_ORDER' as const, message: 'start first', overridable: true };
const send = (body: FormData, path = parking) =>
  api.ask(path, { method: 'POST', as: 'staff', key: 'p-1', body });

it('while the photo store gives no answer nothing is sent: the same request may be repeated, and the board names the store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handover-photos-'));
  const photos = await openBlobStore({ kind: 'folder', path: folder });
  const own = await startApi({ photos });
  try {
    own.parts.views.set(8421, fullView(8421, { commands: [] }));
    await rm(folder, { recursive: true });
    const upload = () => own.ask(parking, { method: 'POST', as: 'staff', key: 'p-1', body: form(mebibyte) });
    const away = await upload();
    expect({ status: away.status, code: away.body.code }).toEqual({
      status: 503,
      code: 'PHOTO_STORE_UNAVAILABLE',
    });
    expect(own.parts.acts).toEqual([]);
    // a part that was probed for the first time counts from an answer shortly after
    await expect
      .poll(async () => (await own.ask('/api/board', { as: 'viewer' })).body.degraded)
      .toEqual(['photos']);
    await mkdir(join(folder, 'incoming'), { recursive: true });
    expect((await upload()).status).toBe(200);
  } finally {
    await own.close();
    await rm(folder, { recursive: true, force: true });
  }
});

it('a photo is stored, and only its reference is in the command', async () => {
  const fields = { parkingMemo: 'B2, pillar 14', parkingLotType: '1', override: 'true', reason: 'late' };
  expect((await send(form(3 * mebibyte, fields))).status).toBe(200);
  const { command } = api.parts.acts[0] ?? {};
  await expect.poll(() => api.photosKept()).toEqual([command?.body.photo?.hash]);
  expect(api.parts.acts).toEqual([
    {
      id: 8421,
      command: {
        commandId: 'p-1',
        action: 'dispatch.parkingImage',
        body: {
          photo: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), type: 'image/jpeg', size: 3 * mebibyte },
          parkingMemo: 'B2, pillar 14',
          parkingLotType: 1,
        },
        by: 'kim',
        override: { reason: 'late' },
      },
    },
  ]);
});

const upload = /^[0-9a-f]{64}\.8421\.[0-9a-f]{32}\.[0-9a-f-]{36}$/;

it.each([
  ['is refused', async () => ({ kind: 'refused' as const, refusal })],
  ['meets no reservation', async () => ({ kind: 'no-reservation' as const })],
  [
    'meets a reservation whose workflow was ended',
    () => Promise.reject(new ReservationEndedError('WORKFLOW_TERMINATED')),
  ],
])('a photo whose action %s is deleted', async (_, onAct) => {
  api.parts.onAct = onAct;
  expect((await send(form(9))).status).toBeGreaterThanOrEqual(404);
  await expect.poll(() => api.photosKept()).toEqual([]);
});

it('a photo whose action has no certain answer is an upload, about which the sweep asks the reservation', async () => {
  api.parts.onAct = () => Promise.reject(new EngineUnavailableError('DEADLINE_EXCEEDED'));
  expect((await send(form(9))).status).toBe(503);
  expect(await api.photosKept()).toEqual([expect.stringMatching(upload)]);
});

it.each([
  ['dispatch/carImage', 10],
  ['recall/carImage', 30],
])('%s accepts its photo', async (path, code) => {
  api.parts.views.set(8421, fullView(8421, { status: { ...fullView(8421).status, code } }));
  expect((await send(form(9), `/api/reservations/8421/${path}`)).status).toBe(200);
});

describe('L20: a photo that follows an action of a moment ago', () => {
  const withCode = (code: number) =>
    fullView(8421, { status: { ...fullView(8421).status, code }, commands: [] });

  it('is accepted without a read of the reservation', async () => {
    api.parts.recentViews.set(8421, withCode(10));
    expect((await send(form(9))).status).toBe(200);
    expect(api.parts.viewsRead).toEqual([]);
  });

  it('is refused only by what the reservation itself shows', async () => {
    api.parts.recentViews.set(8421, withCode(30));
    api.parts.views.set(8421, withCode(10));
    expect((await send(form(9))).status).toBe(200);
    api.parts.views.set(8421, withCode(30));
    expect((await send(form(9))).status).toBe(409);
    expect(api.parts.viewsRead).toEqual([8421, 8421]);
  });
});

it('G15: 10 MiB are accepted', async () => {
  expect((await send(form(10 * mebibyte))).status).toBe(200);
});

describe('a photo that cannot be sent is refused, nothing is stored and no action is sent', () => {
  afterEach(async () => {
    expect(await api.photosKept()).toEqual([]);
    expect(api.parts.acts).toEqual([]);
  });

  it.each([
    ['one byte too many', () => form(10 * mebibyte + 1), 413, 'PHOTO_TOO_LARGE'],
    ['an empty file', () => form(0), 400, 'PHOTO_MISSING'],
    ['no file', () => form(null, { parkingMemo: 'B2' }), 400, 'PHOTO_MISSING'],
    ['the file in another field', () => form(9, {}, jpeg, 'photo'), 400, 'PHOTO_MISSING'],
    [
      'bytes of another type, whatever they are called',
      () => form(99, {}, [0x47, 0x49, 0x46]),
      409,
      'PHOTO_TYPE',
    ],
  ] as const)('%s', async (_what, data, status, code) => {
    expect(await send(data())).toMatchObject({ status, body: { code } });
  });

  it('for JSON instead of a form', async () => {
    const ask = { method: 'POST', as: 'staff', key: 'p', json: {} } as const;
    const { status, body } = await api.ask(parking, ask);
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(body.detail).toContain('multipart/form-data');
  });

  it('for a form without a boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data' };
    const ask = { method: 'POST', as: 'staff', key: 'p', body: 'x', headers } as const;
    const { status, body } = await api.ask(parking, ask);
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

it.each([
  ['an unknown parking lot type', { parkingLotType: '7' }, 'parkingLotType'],
  ['a field that the action does not take', { parkingColour: 'red' }, ''],
  ['an override without a reason', { override: 'true' }, 'reason'],
])('%s is named in the problem', async (_what, fields, field) => {
  const { status, body } = await send(form(9, fields as Record<string, string>));
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_BODY' });
  expect(body.fields[0].field).toBe(field);
  expect(api.parts.acts).toEqual([]);
});

describe('role and state are checked before the body is read', () => {
  /** Sends the headers of a large upload and none of its body; resolves with the answer. */
  function knock(path: string, token: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const asked = request(api.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': 'p-1',
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 9 * mebibyte,
        },
      });
      asked.on('error', reject);
      asked.on('response', (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => {
          asked.destroy();
          resolve({ status: response.statusCode ?? 0, body });
        });
      });
      asked.flushHeaders();
    });
  }

  it('a viewer is refused', async () => {
    expect((await knock(parking, 'viewer-token')).status).toBe(403);
  });
  it('an unknown reservation is refused', async () => {
    expect(await knock('/api/reservations/1/dispatch/carImage', 'staff-token')).toMatchObject({
      status: 404,
    });
  });
  it('L20: a status past the action is refused', async () => {
    api.parts.views.set(8421, fullView(8421, { status: { ...fullView(1).status, code: 20 }, commands: [] }));
    const { status, body } = await knock(parking, 'staff-token');
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 409, code: 'ACTION_NOT_ALLOWED' });
  });
  it('L20: a terminal status is refused', async () => {
    api.parts.views.set(8421, fullView(8421, { status: { ...fullView(1).status, code: 40 }, commands: [] }));
    const { status, body } = await knock(parking, 'staff-token');
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 409, code: 'RESERVATION_TERMINAL' });
  });
});

it('L21: a repeat of a known photo command is answered also when the status has moved on', async () => {
  const known = { ...fullView(1).commands[0], commandId: 'p-1' } as never;
  api.parts.views.set(
    8421,
    fullView(8421, { status: { ...fullView(1).status, code: 15 }, commands: [known] }),
  );
  expect((await send(form(9))).status).toBe(200);
});

it('L21: a repeat on a closed reservation is left to the sweep, for its photos may have been erased a moment ago', async () => {
  const known = { ...fullView(1).commands[0], commandId: 'p-1' } as never;
  const status = { ...fullView(1).status, code: 35 };
  api.parts.views.set(8421, fullView(8421, { status, commands: [known], closed: true }));
  expect((await send(form(9))).status).toBe(200);
  expect(await api.photosKept()).toEqual([expect.stringMatching(upload)]);
});

describe('a photo of a reservation whose photos were erased', () => {
  let folder: string;
  let erased: TestApi;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handover-erased-'));
    const photos = await openBlobStore(
      { kind: 'folder', path: folder },
      {
        areWritten: true,
        forWriting: () => destroyed,
        forReading: () => destroyed,
        remainsOf: async () => undefined,
      },
    );
    erased = await startApi({ photos });
  });
  afterEach(async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    await erased.close();
    await rm(folder, { recursive: true, force: true });
    expect(found.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
  const sendTo = (body: FormData) => erased.ask(parking, { method: 'POST', as: 'staff', key: 'p-1', body });

  it('L21: is answered as before, where its command is known, and is not stored', async () => {
    const status = { ...fullView(1).status, code: 35 };
    const known = { ...fullView(1).commands[0], commandId: 'p-1' } as never;
    erased.parts.views.set(8421, fullView(8421, { status, commands: [known], closed: true }));
    expect((await sendTo(form(9))).status).toBe(200);
    expect(erased.parts.acts).toMatchObject([{ id: 8421, command: { body: { photo: { size: 9 } } } }]);
  });

  it('is refused by a reservation whose workflow was ended before: it is closed', async () => {
    const status = { ...fullView(1).status, code: null };
    erased.parts.views.set(8421, fullView(8421, { status, commands: [], closed: true }));
    erased.parts.onAct = async () => ({ kind: 'refused', refusal: isClosed() });
    expect(await sendTo(form(9))).toMatchObject({ status: 409, body: { code: 'RESERVATION_TERMINAL' } });
  });

  it('is measured like any other', async () => {
    erased.parts.views.set(8421, fullView(8421, { commands: [] }));
    expect(await sendTo(form(10 * mebibyte + 1))).toMatchObject({ status: 413 });
    expect(await sendTo(form(9, {}, [0x47, 0x49, 0x46]))).toMatchObject({ body: { code: 'PHOTO_TYPE' } });
  });
});

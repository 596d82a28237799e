import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
});
afterAll(() => api.close());
beforeEach(() => {
  api.parts.claimed.length = 0;
  api.parts.onClaim = async () => ({ kind: 'done' });
  api.parts.onOwners = async () => ({});
});

const path = '/api/reservations/8421/attention/handover-late/claim';
const item = { reservationId: 8421, kind: 'handover-late' };

it('staff claim an item for themselves, without a body', async () => {
  const { status, body } = await api.ask(path, { method: 'PUT', as: 'staff' });
  expect({ status, body }).toEqual({ status: 200, body: { ...item, owner: 'kim' } });
  expect(api.parts.claimed).toEqual([{ ...item, owner: 'kim', by: 'kim', from: null }]);
});

it('an item is given to another person of the staff', async () => {
  const { body } = await api.ask(path, { method: 'PUT', as: 'staff', json: { name: 'lee' } });
  expect(body.owner).toBe('lee');
  expect(api.parts.claimed).toEqual([{ ...item, owner: 'lee', by: 'kim' }]);
});

it('an item is released', async () => {
  const { status, body } = await api.ask(path, { method: 'DELETE', as: 'manager' });
  expect({ status, body }).toEqual({ status: 200, body: { ...item, owner: null } });
  expect(api.parts.claimed).toEqual([{ ...item, by: 'lee' }]);
});

it('the owner that the sender saw goes with the request', async () => {
  await api.ask(path, { method: 'PUT', as: 'staff', json: { name: 'lee', from: 'park' } });
  await api.ask(path, { method: 'PUT', as: 'staff', json: { name: 'lee', from: null } });
  await api.ask(`${path}?from=park`, { method: 'DELETE', as: 'staff' });
  expect(api.parts.claimed).toEqual([
    { ...item, owner: 'lee', by: 'kim', from: 'park' },
    { ...item, owner: 'lee', by: 'kim', from: null },
    { ...item, by: 'kim', from: 'park' },
  ]);
});

it('a viewer claims nothing, and can be given nothing', async () => {
  expect((await api.ask(path, { method: 'PUT', as: 'viewer' })).status).toBe(403);
  expect((await api.ask(path, { method: 'DELETE', as: 'viewer' })).status).toBe(403);
  const { status, body } = await api.ask(path, { method: 'PUT', as: 'staff', json: { name: 'board' } });
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'STAFF_UNKNOWN' });
  expect(api.parts.claimed).toEqual([]);
});

it('what is not open, or what another person has, is refused', async () => {
  api.parts.onClaim = async () => ({ kind: 'no-item' });
  const gone = await api.ask(path, { method: 'PUT', as: 'staff' });
  expect({ status: gone.status, code: gone.body.code }).toEqual({ status: 404, code: 'ATTENTION_NOT_FOUND' });
  api.parts.onClaim = async () => ({ kind: 'claimed', owner: 'lee' });
  const taken = await api.ask(path, { method: 'PUT', as: 'staff' });
  expect(taken.body).toMatchObject({ status: 409, code: 'ATTENTION_CLAIMED', owner: 'lee' });
});

it('a reservation shows the owners, also in the answer to an action; without the database it shows the rest', async () => {
  api.parts.onOwners = async () => ({ 'handover-late': 'lee' });
  const read = async (as: 'viewer' | 'staff') => (await api.ask('/api/reservations/8421', { as })).body;
  expect((await read('viewer')).attention).toMatchObject([{ kind: 'handover-late', owner: 'lee' }]);
  const act = { method: 'PUT', as: 'staff', key: 'k-1', json: {} } as const;
  const acted = await api.ask('/api/reservations/8421/dispatch/start', act);
  expect(acted.body.attention).toMatchObject([{ owner: 'lee' }]);
  const reason = { reason: 'called' };
  const settled = await api.ask('/api/reservations/8421/attention/conflict/resolve', {
    method: 'POST',
    as: 'manager',
    key: 'k-2',
    json: reason,
  });
  expect(settled.body.attention).toMatchObject([{ owner: 'lee' }]);
  api.parts.onOwners = () => Promise.reject(new Error('no answer'));
  const [shown] = (await read('staff')).attention;
  expect(shown).toMatchObject({ kind: 'handover-late' });
  expect(shown).not.toHaveProperty('owner');
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdShown } from '../../../src/api/holds/schemas.js';
import { holdWithoutPersonalData } from '../../../src/api/holds/view.js';
import type { HoldFacts } from '../../../src/domain/hold/index.js';
import { fullView, knownHold, personal, startApi, type TestApi } from '../../support/api.js';
import { read } from '../../support/sentences.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.holds.set('h-1', knownHold());
});
afterAll(() => api.close());

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const body = { carId: 12, startAt: new Date().toISOString(), endAt: tomorrow, reason: 'brakes' };
const make = (json: object, key = 'h-1') => api.ask('/api/holds', { method: 'POST', as: 'staff', key, json });
const refusedBy = (code: string, more = {}) =>
  knownHold({ state: 'refused', open: false, refused: { code, message: 'no', ...more } });

describe('who may', () => {
  it.each([
    ['POST', '/api/holds'],
    ['PUT', '/api/holds/h-1'],
    ['DELETE', '/api/holds/h-1'],
    ['POST', '/api/holds/h-1/resolve'],
  ])('%s %s is not for viewers', async (method, path) => {
    const { status, body: answer } = await api.ask(path, { method, as: 'viewer', key: 'k', json: {} });
    expect({ status, code: answer.code }).toEqual({ status: 403, code: 'ROLE_NOT_ALLOWED' });
  });

  it('only a manager resolves a stuck hold', async () => {
    const asked = { method: 'POST', key: 'k', json: { reason: 'by hand' } } as const;
    expect((await api.ask('/api/holds/h-1/resolve', { ...asked, as: 'staff' })).status).toBe(403);
  });

  it('L60: a viewer sees neither a person’s texts nor the platform’s', async () => {
    const seen = await api.ask('/api/holds/h-1', { as: 'viewer' });
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain(personal);
    expect(holdShown.parse(holdWithoutPersonalData(read(knownHold())))).toMatchObject({ reason: null });
    expect((await api.ask('/api/holds/h-1', { as: 'staff' })).body).toMatchObject({ reason: personal });
  });

  it('L60: who reads a hold that is over is in the audit: staff, not viewers', async () => {
    const path = '/api/holds/h-over';
    api.parts.holds.set('h-over', knownHold({ holdId: 'h-over', state: 'ended', open: false }));
    api.parts.audited.length = 0;
    for (const as of ['viewer', 'staff'] as const) expect((await api.ask(path, { as })).status).toBe(200);
    expect(api.parts.audited).toMatchObject([{ by: 'kim', action: 'hold.read', subject: 'hold/h-over' }]);
    const { onHoldCommand } = api.parts;
    api.parts.onHoldCommand = async () => ({
      kind: 'pending',
      hold: knownHold({ holdId: 'h-repeated', state: 'ended', open: false }),
    });
    await api.ask('/api/holds/h-repeated', { method: 'DELETE', as: 'staff', key: 'known', json: {} });
    api.parts.onHoldCommand = onHoldCommand;
    expect(api.parts.audited.at(-1)).toMatchObject({ action: 'hold.read', subject: 'hold/h-repeated' });
  });

  it('F18: without the key of the supplier a hold is refused', async () => {
    const off = await startApi();
    off.parts.fleet.roles.splice(0, 2, 'channel');
    const { status, body: answer } = await off.ask('/api/holds', {
      method: 'POST',
      as: 'staff',
      key: 'k',
      json: body,
    });
    expect({ status, code: answer.code, asked: off.parts.heldFor }).toEqual({
      status: 409,
      code: 'ROLE_OFF',
      asked: [],
    });
    await off.close();
  });
});

describe('the answer to a new hold', () => {
  it.each([
    [201, 'planned'],
    [201, 'active'],
    [202, 'placing'],
    [202, 'attention'],
  ] as const)('is %s for a hold that is %s', async (status, state) => {
    api.parts.onHold = async () => ({ kind: 'made', hold: knownHold({ state, refused: null }) });
    const answer = await make(body);
    expect({ status: answer.status, state: answer.body.state }).toEqual({ status, state });
    expect(answer.headers.get('location')).toBe('/api/holds/h-1');
  });

  it('F06, F08: has the platform’s code of a refusal, with what is in the way', async () => {
    const inTheWay = [{ scheduleId: 7, type: 'R' as const, holdId: null, start: 'a', end: 'b' }];
    api.parts.onHold = async () => ({ kind: 'made', hold: refusedBy('E011', { inTheWay }) });
    expect(await make(body)).toMatchObject({
      status: 409,
      body: { code: 'E011', inTheWay, platformCode: 'E011' },
    });
    api.parts.onHold = async () => ({ kind: 'made', hold: refusedBy('NOT_FOUND') });
    expect(await make(body)).toMatchObject({ status: 404, body: { code: 'CAR_NOT_FOUND' } });
  });

  it('F15: is the known hold, before anything starts', async () => {
    const other = { holdId: 'h-0', period: { start: 0, end: 1 } } as HoldFacts;
    api.parts.onHold = async () => ({ kind: 'overlaps', other });
    const detail = expect.stringContaining('until 1970-01-01T09:00:00.001+09:00');
    expect(await make(body)).toMatchObject({
      status: 409,
      body: { code: 'HOLD_OVERLAPS', holdId: 'h-0', detail },
    });
    api.parts.onHold = async () => ({
      kind: 'refused',
      refusal: { code: 'HOLD_IN_PAST', message: 'over' },
    });
    expect(await make(body)).toMatchObject({ status: 409, body: { code: 'HOLD_IN_PAST' } });
  });

  it('the id of a hold is the Idempotency-Key, and the same body has the same mark', async () => {
    api.parts.heldFor.length = 0;
    api.parts.onHold = async () => ({ kind: 'made', hold: knownHold({ refused: null }) });
    await make(body, 'k-1');
    await make({ ...body }, 'k-1');
    await make({ ...body, reason: 'wash' }, 'k-1');
    const [first, same, another] = api.parts.heldFor as { holdId: string; mark: string; by: string }[];
    expect(first).toMatchObject({ holdId: 'k-1', by: 'kim' });
    expect(same?.mark).toBe(first?.mark);
    expect(another?.mark).not.toBe(first?.mark);
  });

  it.each([
    ['no period', { carId: 12, reason: 'x' }],
    ['no reason', { ...body, reason: '  ' }],
    ['a moment without an offset', { ...body, startAt: '2026-11-21T09:00:00' }],
    ['a proposal and more', { ...body, proposalId: 'retrieve-car-1' }],
    ['a proposal of nothing', { proposalId: 'wash-car-1' }],
    ['another field', { ...body, sell: false }],
  ])('is 400 for %s', async (_, json) => {
    expect(await make(json)).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } });
  });

  it('names the field that does not fit, and nothing of the other kind of body', async () => {
    const saysOf = async (json: object) => (await make(json)).body.detail;
    expect(await saysOf({ ...body, startAt: 'yesterday' })).toMatch(/^startAt: expected/);
    expect(await saysOf({ ...body, carId: '12', reason: '' })).toMatch(/^carId: .*; reason: expected text/);
    expect(await saysOf({ proposalId: 'wash-car-1' })).toMatch(/^proposalId: expected an id/);
    expect(await saysOf({})).toMatch(/^expected carId, startAt, endAt and reason, or proposalId alone/);
  });

  it('F28: catalogue answers that were read before a hold is made or changed are read again after it', async () => {
    const read = async () => (await api.ask('/api/cars/1001', { as: 'staff' })).body.ageSeconds;
    api.parts.onHold = async () => ({ kind: 'made', hold: knownHold({ refused: null }) });
    api.parts.onHoldCommand = async () => ({ kind: 'pending', hold: knownHold() });
    for (const write of [
      () => make(body),
      () => api.ask('/api/holds/h-1', { method: 'DELETE', as: 'staff', key: 'p-9', json: {} }),
    ]) {
      await read();
      const { length: before } = api.parts.fleet.asked;
      await write();
      await read();
      expect(api.parts.fleet.asked.length).toBeGreaterThan(before);
    }
  });

  it('F15: no other hold takes the id of a proposal', async () => {
    expect(await make(body, 'retrieve-car-8421')).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_INVALID' },
    });
  });

  it('F14: a proposal whose hold is over is answered as over, and never as an existing hold', async () => {
    api.parts.holds.set('retrieve-car-79', knownHold({ holdId: 'retrieve-car-79', reservationId: 79 }));
    api.parts.onHold = async () => ({ kind: 'made', hold: knownHold({ refused: null }) });
    expect(await make({ proposalId: 'retrieve-car-79' })).toMatchObject({ status: 201 });
    const ended = { holdId: 'retrieve-car-79', reservationId: 79, state: 'ended', open: false } as const;
    api.parts.holds.set('retrieve-car-79', knownHold({ ...ended, refused: null }));
    expect(await make({ proposalId: 'retrieve-car-79' })).toMatchObject({
      status: 409,
      body: {
        code: 'HOLD_OVER',
        holdId: 'retrieve-car-79',
        detail: expect.stringContaining('Create a new hold'),
      },
    });
  });

  it('F14: a proposal is accepted only while its reservation still proposes it', async () => {
    expect(await make({ proposalId: 'retrieve-car-77' })).toMatchObject({
      body: { code: 'PROPOSAL_NOT_FOUND' },
    });
    api.parts.views.set(78, fullView(78, { proposals: [] }));
    expect(await make({ proposalId: 'retrieve-car-78' })).toMatchObject({
      status: 409,
      body: { code: 'PROPOSAL_GONE' },
    });
  });
});

describe('the answer to a change or a release', () => {
  const sendChange = (method: string, json: object) =>
    api.ask('/api/holds/h-1', { method, as: 'staff', key: 'p-1', json });
  const command = {
    commandId: 'p-1',
    action: 'change',
    by: 'kim',
    at: 'x',
    outcome: 'applied',
    refused: null,
  } as const;

  it('is 200 once it is done, 202 while it is out', async () => {
    api.parts.onHoldCommand = async () => ({ kind: 'answered', command, hold: knownHold() });
    expect((await sendChange('PUT', { endAt: tomorrow })).status).toBe(200);
    api.parts.onHoldCommand = async () => ({ kind: 'pending', hold: knownHold({ state: 'releasing' }) });
    expect((await sendChange('DELETE', {})).status).toBe(202);
  });

  it('has the code of a refusal, the platform’s or ours', async () => {
    const refused = { code: 'E011', message: 'taken', free: { before: null, after: null } };
    api.parts.onHoldCommand = async () => ({
      kind: 'answered',
      command: { ...command, outcome: 'rejected', refused },
      hold: knownHold(),
    });
    expect(await sendChange('PUT', { endAt: tomorrow })).toMatchObject({
      status: 409,
      body: { code: 'E011', commandId: 'p-1', free: { before: null, after: null } },
    });
    api.parts.onHoldCommand = async () => ({
      kind: 'refused',
      refusal: { code: 'HOLD_BEGUN', message: 'begun' },
    });
    expect(await sendChange('PUT', { startAt: tomorrow })).toMatchObject({
      status: 409,
      body: { code: 'HOLD_BEGUN' },
    });
    expect(await sendChange('PUT', {})).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } });
  });

  it('F09: an id of a schedule entry is explained', async () => {
    api.parts.onHoldCommand = async () => ({ kind: 'no-hold' });
    const { body: answer } = await api.ask('/api/holds/17', { method: 'DELETE', as: 'staff', key: 'p' });
    expect(answer).toMatchObject({ code: 'HOLD_NOT_FOUND', detail: expect.stringContaining('type R') });
  });
});

it('F16: the list is filtered, and has no personal data', async () => {
  api.parts.listedHolds = [
    {
      holdId: 'h-1',
      carId: 12,
      period: { start: 0, end: 1 },
      state: 'attention',
      open: true,
      withdrawFromSale: true,
      reservationId: null,
      createdAt: 0,
      endedAt: null,
      attention: ['memo'],
    },
  ];
  const { status, body: answer } = await api.ask('/api/holds?carId=12&open=true&state=attention&limit=5', {
    as: 'viewer',
  });
  expect({ status, items: answer.items }).toMatchObject({
    status: 200,
    items: [{ holdId: 'h-1', attention: ['memo'] }],
  });
  expect(api.parts.filters.at(-1)).toEqual({ carId: 12, open: true, state: 'attention', limit: 5 });
  for (const query of ['state=gone', 'open=yes', 'from=tomorrow']) {
    expect((await api.ask(`/api/holds?${query}`, { as: 'viewer' })).body.code).toBe('INVALID_QUERY');
  }
});

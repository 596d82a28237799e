import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { finding, findingList } from '../../../src/api/findings/schemas.js';
import type { Finding } from '../../../src/store/findings/findings.js';
import { type Ask, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const noon = Date.UTC(2026, 10, 21, 3);
const card: Finding = {
  id: 17,
  kind: 'undiscovered',
  state: 'open',
  scheduleId: 77,
  carId: 12,
  startAt: noon,
  endAt: noon + 3_600_000,
  reservationId: null,
  firstSeenAt: noon,
  lastSeenAt: noon,
  reads: 2,
  closedAt: null,
};
const word = { reservationId: 8421, status: 5, reason: 'looked up on the web site' };
const adopt = (ask: Ask = {}, id = 17) =>
  api.ask(`/api/findings/${id}/adopt`, { method: 'POST', as: 'manager', key: 'k-1', json: word, ...ask });

it('F46: a viewer sees findings with their periods in the service’s zone, filtered by kind and state', async () => {
  api.parts.findings.set(17, card);
  const { body } = await api.ask('/api/findings?kind=undiscovered&state=open&limit=7', { as: 'viewer' });
  expect(z.strictObject(findingList.shape).parse(body)).toEqual(body);
  expect(body.items[0]).toMatchObject({
    period: { start: '2026-11-21T12:00:00.000+09:00', end: '2026-11-21T13:00:00.000+09:00' },
    firstSeenAt: '2026-11-21T12:00:00.000+09:00',
    closedAt: null,
  });
  expect(api.parts.filters).toEqual([{ kind: 'undiscovered', state: 'open', limit: 7 }]);
});

it('F49: a manager adopts a finding: car and period of the entry are asserted for the reservation, then the finding is closed', async () => {
  api.parts.findings.set(17, card);
  const { status, body } = await adopt();
  expect(status).toBe(200);
  expect(z.strictObject(finding.shape).parse(body)).toEqual(body);
  expect(body).toMatchObject({ id: 17, state: 'adopted', reservationId: 8421 });
  const facts = { carId: 12, startAt: card.startAt, endAt: card.endAt, status: 5 };
  expect(api.parts.settlements).toMatchObject([
    { name: 'assertFacts', input: { ...facts, reason: word.reason } },
  ]);
  expect(api.parts.adoptions).toMatchObject([{ id: 17, reservationId: 8421, commandId: 'k-1' }]);
});

it('F49: an adoption that the reservation refuses leaves the finding open', async () => {
  api.parts.findings.set(17, card);
  api.parts.onSettle = async () => ({
    kind: 'refused',
    refusal: { code: 'RESERVATION_TERMINAL', message: 'It is closed.', overridable: false },
  });
  expect((await adopt()).body.code).toBe('RESERVATION_TERMINAL');
  expect(api.parts.adoptions).toEqual([]);
});

it('F49: an adoption that is repeated changes nothing, and one as another reservation is refused', async () => {
  api.parts.findings.set(17, { ...card, state: 'adopted', reservationId: 8421, closedAt: noon });
  expect((await adopt()).status).toBe(200);
  expect(api.parts.settlements).toEqual([]);
  const { body } = await adopt({ json: { ...word, reservationId: 8422 } });
  expect(body).toMatchObject({ code: 'FINDING_CLOSED', detail: expect.stringContaining('8421') });
});

it('F49, L21: a key that stands for another request is refused, also once the finding is adopted', async () => {
  api.parts.findings.set(17, { ...card, state: 'adopted', reservationId: 8421, closedAt: noon });
  const { body } = await adopt({ key: api.parts.reusedKey });
  expect(body).toMatchObject({ status: 409, code: 'COMMAND_ID_REUSED' });
});

it('F49: of two adoptions with one key at the same moment, the later states which reservation has wrong facts', async () => {
  api.parts.findings.set(17, card);
  api.parts.adoptedMeanwhile = 8422;
  const { body } = await adopt();
  expect(body).toMatchObject({
    code: 'FINDING_CLOSED',
    detail: expect.stringContaining('Reservation 8421 has'),
  });
  api.parts.findings.set(17, card);
  api.parts.adoptedMeanwhile = 8421;
  expect((await adopt()).body).toMatchObject({ status: 409, code: 'COMMAND_ID_REUSED' });
});

const refusals: [what: string, change: Partial<Finding>, ask: Ask, status: number, code: string][] = [
  ['one that is over', { state: 'gone', closedAt: noon }, {}, 409, 'FINDING_CLOSED'],
  [
    'one of a known reservation',
    { kind: 'period-differs', reservationId: 9 },
    {},
    409,
    'FINDING_NOT_ADOPTABLE',
  ],
  ['without a reason', {}, { json: { reservationId: 8421 } }, 400, 'INVALID_BODY'],
  ['as reservation 0', {}, { json: { ...word, reservationId: 0 } }, 400, 'INVALID_BODY'],
  ['at a status that there is not', {}, { json: { ...word, status: 7 } }, 400, 'INVALID_BODY'],
  ['by staff', {}, { as: 'staff' }, 403, 'ROLE_NOT_ALLOWED'],
];
it.each(refusals)(
  'F49: the adoption of a finding %s is refused',
  async (_what, change, ask, status, code) => {
    api.parts.findings.set(17, { ...card, ...change });
    const answer = await adopt(ask);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(api.parts.settlements).toEqual([]);
  },
);

it('F49: an unknown finding is 404', async () => {
  expect((await adopt({}, 18)).body).toMatchObject({ status: 404, code: 'FINDING_NOT_FOUND' });
});

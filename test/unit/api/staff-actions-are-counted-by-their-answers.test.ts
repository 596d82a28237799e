import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { actions, type CommandState, type Refusal } from '../../../src/domain/reservation/index.js';
import { openBlobStore } from '../../../src/store/photos/store.js';
import { ReservationEndedError } from '../../../src/temporal/client/reservations/errors.js';
import { EngineUnavailableError } from '../../../src/temporal/connection/unavailable.js';
import { commandView, fullView, startApi, type TestApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421, { commands: [] }));
});
afterEach(() => api.close());

const base = '/api/reservations/8421';
const start = (of = api) => of.ask(`${base}/dispatch/start`, { method: 'PUT', as: 'staff', key: 'c-7' });
function photo(of = api, name = 'image') {
  const body = new FormData();
  const content = new Uint8Array(1_000);
  content.set([0xff, 0xd8, 0xff]);
  body.set(name, new Blob([content], { type: 'image/jpeg' }), 'photo.jpg');
  return of.ask(`${base}/dispatch/carImage`, { method: 'POST', as: 'staff', key: 'p-1', body });
}
const engineAway = () => new EngineUnavailableError('DEADLINE_EXCEEDED');

/** The actions that were counted: `action outcome count`, and how many were `answered` and `failed`. */
async function counted(of = api) {
  const text = await of.metrics.registry.metrics();
  const ofActions = text.matchAll(/^handover_actions_total\{action="(.+)",outcome="(.+)"\} ([1-9]\d*)$/gm);
  const timed = (outcome: string) =>
    Number(text.match(`handover_actions_answered_seconds_count{outcome="${outcome}"} (\\d+)`)?.[1]);
  return {
    actions: [...ofActions].map((found) => found.slice(1).join(' ')),
    answered: timed('answered'),
    failed: timed('failed'),
  };
}
const none = { actions: [], answered: 0, failed: 0 };

it('each action has its route, and is there as 0 from the start', async () => {
  const metric = await api.metrics.registry.getSingleMetric('handover_actions_total')?.get();
  expect(metric?.values.map(({ labels }) => labels)).toEqual(
    actions.map((action) => ({ action, outcome: 'failed' })),
  );
  expect(await counted()).toEqual(none);
});

it.each(['applied', 'rejected', 'waiting', 'unknown'] satisfies CommandState[])(
  'an answer with the command %s is answered',
  async (outcome) => {
    const command = commandView({ outcome, code: 'ILLEGAL_STATE' });
    api.parts.onAct = async () => ({ kind: 'answered', command, reservation: fullView(8421) });
    await start();
    await photo();
    expect(await counted()).toEqual({
      actions: [`dispatch.start ${outcome} 1`, `dispatch.carImage ${outcome} 1`],
      answered: 2,
      failed: 0,
    });
  },
);

it('a refusal is answered: by the reservation, of an ended one, and of a photo before it is read', async () => {
  const refusal = { code: 'OUT_OF_ORDER' as const, message: 'start first', overridable: true };
  api.parts.onAct = async () => ({ kind: 'refused', refusal });
  expect((await start()).status).toBe(409);
  api.parts.onAct = async () => Promise.reject(new ReservationEndedError('WORKFLOW_TERMINATED'));
  expect((await start()).status).toBe(409);
  const { status } = fullView(8421);
  api.parts.views.set(8421, fullView(8421, { commands: [], status: { ...status, code: 35 } }));
  expect((await photo()).status).toBe(409);
  api.parts.views.clear();
  expect((await photo()).status).toBe(404);
  expect(await counted()).toEqual({
    actions: [
      'dispatch.start refused 2',
      'dispatch.carImage refused 1',
      'dispatch.carImage no-reservation 1',
    ],
    answered: 4,
    failed: 0,
  });
});

it('an answer of 5xx is failed, also where the reservation itself refuses', async () => {
  const code: Refusal['code'] = 'TIMELINE_WAITS';
  api.parts.onAct = async () => ({
    kind: 'refused',
    refusal: { code, message: 'it waits', overridable: false },
  });
  expect((await start()).status).toBe(503);
  api.parts.onAct = async () => Promise.reject(engineAway());
  expect((await start()).status).toBe(503);
  expect(await counted()).toEqual({ actions: ['dispatch.start failed 2'], answered: 0, failed: 2 });
});

it('an action that was applied and cannot be shown is failed', async () => {
  api.parts.onAudit = async () => Promise.reject(new Error('away'));
  api.parts.onAct = async () => ({
    kind: 'answered',
    command: commandView(),
    reservation: fullView(8421, { closed: true }),
  });
  expect((await start()).status).toBe(500);
  expect(await counted()).toEqual({ actions: ['dispatch.start failed 1'], answered: 0, failed: 1 });
});

it('a photo action is failed while the photo store is away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handover-photos-'));
  const own = await startApi({ photos: await openBlobStore({ kind: 'folder', path: folder }) });
  own.parts.views.set(8421, fullView(8421, { commands: [] }));
  await rm(folder, { recursive: true });
  expect((await photo(own)).status).toBe(503);
  expect(await counted(own)).toEqual({ actions: ['dispatch.carImage failed 1'], answered: 0, failed: 1 });
  await own.close();
});

it('a photo action is failed where its reservation cannot be read', async () => {
  const reservations = { ...api.parts.deps().reservations, view: async () => Promise.reject(engineAway()) };
  const own = await startApi({ reservations });
  expect((await photo(own)).status).toBe(503);
  expect(await counted(own)).toEqual({ actions: ['dispatch.carImage failed 1'], answered: 0, failed: 1 });
  await own.close();
});

it('what is refused before it is a command counts as nothing: its token, its key, its body, its form', async () => {
  const path = `${base}/dispatch/start`;
  const answers = [
    await api.ask(path, { method: 'PUT', key: 'c' }),
    await api.ask(path, { method: 'PUT', as: 'viewer', key: 'c' }),
    await api.ask(path, { method: 'PUT', as: 'staff' }),
    await api.ask(path, { method: 'PUT', as: 'staff', key: 'c', json: { override: 7 } }),
    await photo(api, 'picture'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 400, 400, 400]);
  expect(await counted()).toEqual(none);
});

it('a photo whose sender breaks off counts as nothing', async () => {
  const sent = httpRequest(`${api.url}${base}/dispatch/carImage`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer staff-token',
      'idempotency-key': 'p-1',
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '5000',
    },
  });
  sent.on('error', () => {});
  sent.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n');
  await eventually('the action reads its form', async () => api.parts.viewsRead.length > 0);
  sent.destroy();
  await eventually('it has ended', async () =>
    api.logged.some((line) => line.includes('refused') || line.includes('failed')),
  );
  expect(await counted()).toEqual(none);
});

it('an action whose person has left before the answer counts', async () => {
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  api.parts.onAct = async () => {
    await isAnswered;
    return { kind: 'answered', command: commandView(), reservation: fullView(8421) };
  };
  const sent = httpRequest(`${api.url}${base}/dispatch/start`, {
    method: 'PUT',
    headers: { authorization: 'Bearer staff-token', 'idempotency-key': 'c-7' },
  });
  const isClosed = new Promise<void>((resolve) => void sent.on('close', resolve));
  sent.on('error', () => {});
  sent.end();
  await eventually('it is performed', async () => api.parts.acts.length > 0);
  sent.destroy();
  await isClosed;
  answer();
  await eventually('it is counted', async () => (await counted()).answered === 1);
});

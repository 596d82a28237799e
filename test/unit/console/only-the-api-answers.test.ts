import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

beforeEach(() => {
  vi.useFakeTimers();
  stubPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const request = { params: { id: 8421 } };
const ofApi = { 'handover-api': '1' };
const answers = (body: string | null, status: number, headers: Record<string, string> = ofApi) =>
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }));

const key = 'key-1';
const problem = { code: 'OUT_OF_ORDER', detail: 'The photo is missing.', status: 409 };
const isStated = (body: unknown) => (body as Partial<typeof problem> | null)?.code === problem.code;
const reservation = { reservationId: 8421, sequence: 7, commands: [] };
/** What is shown of an action after an answer. */
const shown: [status: number, body: unknown, is: string][] = [
  [200, reservation, 'applied'],
  [200, { ...reservation, reservationId: 7000 }, 'lost'],
  [200, { status: 'ok' }, 'lost'],
  [200, null, 'lost'],
  [200, undefined, 'lost'],
  [204, undefined, 'lost'],
  [202, { commandId: key, outcome: 'waiting' }, 'open'],
  [202, { commandId: 'another', outcome: 'waiting' }, 'lost'],
  [202, { status: 'accepted' }, 'lost'],
  [409, problem, 'rejected'],
  [403, undefined, 'lost'],
  [403, { message: 'Blocked by the gateway' }, 'lost'],
  [404, { code: 5, detail: 'no route' }, 'lost'],
  ...[408, 425, 429, 500, 502, 503].map((status): [number, unknown, string] => [
    status,
    { ...problem, status },
    'lost',
  ]),
  [503, '<html>busy</html>', 'lost'],
];

describe.each(shown)('an action that is answered %i %j', (status, body, is) => {
  beforeEach(() =>
    answers(body === undefined ? (status === 204 ? null : '<html>') : JSON.stringify(body), status),
  );

  it(`is ${is} on the board`, async () => {
    const [{ Write }, { endpoints }] = await loadModules(
      'console/state/write.ts',
      'console/api/endpoints.ts',
    );
    const write = new Write();
    write.key = key;
    await write.send(endpoints['dispatch.start'], request);
    // a problem that the service stated is shown
    expect(write.outcome.value).toMatchObject(isStated(body) ? { is, problem: body } : { is });
    // what is sent after a rejection is another request
    await write.send(endpoints['dispatch.start'], request);
    expect(write.key === key).toBe(is !== 'rejected');
  });

  it(`is ${is} on a phone`, async () => {
    const [{ drain }, { sendEntry }] = await loadModules(
      'console/offline/drain.ts',
      'console/offline/send-entry.ts',
    );
    const changes = { hasPhoto: false, state: 'waiting', problem: null, awaited: null };
    let entries: object[] = [
      { order: 1, key, by: 'kim', reservationId: 8421, action: 'dispatch.start', fields: {}, ...changes },
    ];
    await drain({
      readUser: async () => ({ is: 'in', name: 'kim' }),
      readAll: async () => entries,
      update: async (entry: object) => {
        entries = [entry];
      },
      remove: async () => {
        entries = [];
      },
      send: (entry: object) => sendEntry(entry),
      onApplied: () => {},
    });
    // what was certainly not executed waits
    const state = isStated(body) && is === 'lost' && status < 500 ? 'waiting' : is;
    const left = { key, state, problem: isStated(body) ? body : null };
    expect(entries).toMatchObject(is === 'applied' ? [] : [left]);
  });
});

it.each<[typeof problem | undefined, boolean]>([
  [{ ...problem, status: 503 }, true],
  ...['PHOTO_STORE_UNAVAILABLE', 'RESERVATION_NOT_READY', 'TIMELINE_WAITS'].map(
    (code): [typeof problem, boolean] => [{ ...problem, status: 503, code }, false],
  ),
  [{ ...problem, status: 429 }, false],
  [undefined, true],
])('%j leaves open whether the action was executed: %s', async (stated, expected) => {
  const [{ mayHaveRun }] = await loadModules('console/api/read-answer.ts');
  expect(mayHaveRun(stated)).toBe(expected);
});

it('an attempt that may have been executed is not forgotten where the next one was not', async () => {
  const [{ Write }, { endpoints }] = await loadModules('console/state/write.ts', 'console/api/endpoints.ts');
  const write = new Write();
  const busy = { ...problem, status: 429 };
  answers(JSON.stringify(busy), 429);
  await write.send(endpoints['dispatch.start'], request);
  expect(write.outcome.value).toEqual({ is: 'lost', problem: busy, mayHaveRun: false });
  answers('<html>', 502);
  await write.repeat();
  expect(write.outcome.value).toEqual({ is: 'lost', mayHaveRun: true });
  answers(JSON.stringify(busy), 429);
  await write.repeat();
  expect(write.outcome.value).toEqual({ is: 'lost', problem: busy, mayHaveRun: true });
});

it('after a lost answer the same request is sent again, and its answer counts', async () => {
  const [{ Write }, { endpoints }] = await loadModules('console/state/write.ts', 'console/api/endpoints.ts');
  const write = new Write();
  answers('<html>Accept the terms of this network</html>', 200);
  await write.send(endpoints['dispatch.start'], request);
  expect(write.outcome.value).toEqual({ is: 'lost', mayHaveRun: true });
  answers(JSON.stringify(reservation), 200);
  await write.repeat();
  expect(write.outcome.value).toEqual({ is: 'applied' });
});

it('202 with something that is no command is open, and nothing of a command is shown', async () => {
  const [{ Write }, { endpoints }] = await loadModules('console/state/write.ts', 'console/api/endpoints.ts');
  const write = new Write();
  answers(JSON.stringify({ holdId: 'retrieve-car-8421', state: 'placing' }), 202);
  await write.send(endpoints.makeHold, {});
  expect(write.outcome.value).toEqual({ is: 'open', command: null });
});

it('a success that is not of the API is no answer, whatever its body', async () => {
  const [{ send }, { endpoints }] = await loadModules('console/api/client.ts', 'console/api/endpoints.ts');
  for (const [body, status] of [
    [JSON.stringify({ items: [] }), 200],
    [null, 204],
  ] as const) {
    answers(body, status, {});
    await expect(send(endpoints.logout)).rejects.toMatchObject({ status: 0, problem: null });
  }
});

it('a refusal that is not of the API is no answer either: a gateway’s 401 ends no login', async () => {
  const [{ send, onExpired }, { endpoints }] = await loadModules(
    'console/api/client.ts',
    'console/api/endpoints.ts',
  );
  onExpired.run = vi.fn();
  for (const status of [401, 403, 502]) {
    answers(JSON.stringify(problem), status, {});
    await expect(send(endpoints.me)).rejects.toMatchObject({ status: 0, problem: null });
  }
  expect(onExpired.run).not.toHaveBeenCalled();
  answers(JSON.stringify(problem), 401);
  await expect(send(endpoints.me)).rejects.toMatchObject({ status: 401 });
  expect(onExpired.run).toHaveBeenCalledOnce();
});

it('204 has no body', async () => {
  const [{ send }, { endpoints }] = await loadModules('console/api/client.ts', 'console/api/endpoints.ts');
  answers(null, 204);
  expect(await send(endpoints.logout)).toEqual({ status: 204, body: undefined });
});

it('an answer that others have overtaken changes nothing', async () => {
  const [{ reservationResource }] = await loadModules('console/state/reservation.ts');
  const resource = reservationResource(8421);
  const read = async (sequence: number) => {
    answers(JSON.stringify({ ...reservation, sequence }), 200);
    await resource.refresh();
    return resource.state.value.data.sequence;
  };
  const reading = read(8);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reading).toBe(8);
  resource.accept({ ...reservation, sequence: 7 });
  expect(resource.state.value.data.sequence).toBe(8);
  resource.accept({ ...reservation, sequence: 9 });
  expect(resource.state.value.data.sequence).toBe(9);
});

it('a reading that fails within the page stops no later one', async () => {
  const [{ Resource }] = await loadModules('console/state/resource.ts');
  const resource = new Resource(
    async () => ({ sequence: 1 }),
    () => {
      throw new TypeError('unexpected');
    },
    0,
  );
  await resource.refresh();
  await expect(resource.refresh()).rejects.toThrow('unexpected');
  await expect(resource.refresh()).rejects.toThrow('unexpected');
});

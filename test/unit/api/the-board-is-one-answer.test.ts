import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadsInTurn } from '../../../src/api/board/reads-in-turn.js';
import { board } from '../../../src/api/board/schemas.js';
import { message } from '../../../src/store/alerts/messages/message.js';
import type { BoardItem } from '../../../src/store/reservations/list.js';
import { emptyBoard, personal, startApi, type TestApi } from '../../support/api.js';
import { openRow } from '../../support/open-rows.js';

const noon = Date.UTC(2026, 10, 21, 3);
const hour = 3_600_000;
let api: TestApi;
beforeEach(async () => {
  api = await startApi({ clock: () => noon });
});
afterEach(() => api.close());

const item = (changes: Partial<BoardItem> = {}): BoardItem => ({
  reservationId: 8421,
  ...openRow({
    status: 5,
    period: { start: noon - hour, end: noon + hour },
    attention: [{ kind: 'handover-late', since: noon - hour }],
    next: 'dispatch.start',
    private: {
      carNumber: `${personal} 3456`,
      dispatchStaff: `${personal} D`,
      recallStaff: `${personal} R`,
      drivers: [],
    },
  }),
  relevantAt: noon - hour,
  owners: {},
  ...changes,
});
const show = (...items: BoardItem[]) => {
  api.parts.onBoard = async () => ({ ...emptyBoard(), attention: { count: 7, items } });
};
const read = async (as: 'viewer' | 'staff' = 'staff') => {
  const { status, body, text } = await api.ask('/api/board', { as });
  return { status, body, text, rows: body.lanes?.attention.items ?? [] };
};

it('has five lanes with counts and rows, the open alerts, and what does not answer', async () => {
  show(item());
  api.parts.alertItems = [
    { id: 1, kind: 'intake-silent', subject: '', since: noon, message: 'No callback came.', clearedAt: null },
  ];
  const { body } = await read();
  expect(board.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    asOf: '2026-11-21T12:00:00.000+09:00',
    lanes: { attention: { count: 7 }, dueOut: { count: 0, items: [] } },
    alerts: [{ kind: 'intake-silent', since: '2026-11-21T12:00:00.000+09:00' }],
    degraded: [],
  });
  expect(api.parts.filters).toEqual([{ state: 'open', limit: 100 }]);
});

it('a row has what staff decide by', async () => {
  show(item());
  expect((await read()).rows).toEqual([
    {
      reservationId: 8421,
      sequence: 1,
      status: { code: 5, name: 'reservation complete' },
      grade: 'observed',
      since: '2026-11-21T09:00:00.000+09:00',
      carId: 12,
      carNumber: `${personal} 3456`,
      companyId: 3,
      productId: null,
      period: { start: '2026-11-21T11:00:00.000+09:00', end: '2026-11-21T13:00:00.000+09:00' },
      attention: [{ kind: 'handover-late', since: '2026-11-21T11:00:00.000+09:00', owner: null }],
      next: { action: 'dispatch.start', target: 10 },
      relevantAt: '2026-11-21T11:00:00.000+09:00',
      owner: null,
      staff: `${personal} D`,
      atRisk: false,
      unknownCommands: 0,
      waitingCommands: 0,
    },
  ]);
});

it.each([
  [10, 'D'],
  [15, 'R'],
  [30, 'R'],
  [null, 'D'],
])('at %s the staff shown are those of the step that comes', async (status, staff) => {
  show(item({ status }));
  expect((await read()).rows[0].staff).toBe(`${personal} ${staff}`);
});

it('what is unknown is null', async () => {
  show(item({ status: null, since: null, relevantAt: null, period: null, next: null }));
  const [unknown] = (await read()).rows;
  expect(unknown).toMatchObject({
    status: { code: null, name: 'unknown' },
    since: null,
    relevantAt: null,
    period: null,
    next: null,
  });
});

it('L60: a viewer sees the plate, and no staff', async () => {
  show(item());
  const { text, rows } = await read('viewer');
  expect(text).not.toMatch(new RegExp(`${personal} [DR]`));
  expect(rows[0]).toMatchObject({ reservationId: 8421, carNumber: `${personal} 3456`, staff: null });
});

it('L60: of one read, viewers and staff that ask at once have their own answer', async () => {
  let reads = 0;
  api.parts.onBoard = async () => {
    reads += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { ...emptyBoard(), attention: { count: 7, items: [item()] } };
  };
  const first = read();
  const answers = await Promise.all([read('viewer'), read(), read('viewer'), read()]);
  expect((await first).rows).toHaveLength(1);
  expect(reads).toBeLessThan(5);
  expect(answers.map(({ text }) => text.includes(`${personal} D`))).toEqual([false, true, false, true]);
});

it('L60: is compressed for who takes that, and each has its own answer', async () => {
  show(item());
  const ask = (as: 'viewer' | 'staff', coding: string) =>
    api.ask('/api/board', { as, headers: { 'accept-encoding': coding } });
  const [viewer, staff, plain, refusing] = await Promise.all([
    ask('viewer', 'gzip, deflate, br'),
    ask('staff', 'gzip'),
    ask('staff', 'identity'),
    ask('staff', 'gzip;q=0'),
  ]);
  const codings = [viewer, staff, plain, refusing].map(({ headers }) => headers.get('content-encoding'));
  expect(codings).toEqual(['gzip', 'gzip', null, null]);
  expect(new Set([staff.text, plain.text, refusing.text]).size).toBe(1);
  expect(staff.text).toContain(`${personal} D`);
  expect(viewer.text).not.toContain(`${personal} D`);
  expect(viewer.headers.get('vary')).toBe('accept-encoding, Accept-Language');
});

it('of one read, callers of two languages that ask at once have each their own, compressed or not', async () => {
  api.parts.onBoard = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return emptyBoard();
  };
  const alert = { kind: 'intake-dead-letters', subject: '', since: noon, clearedAt: null } as const;
  api.parts.alertItems = [{ ...alert, id: 1, message: message('alert.intake-dead-letters', {}) }];
  const asked = ['ko', 'en'].flatMap((language) =>
    (['viewer', 'staff'] as const).flatMap((as) =>
      ['gzip', 'identity'].map((coding) => ({ language, as, coding })),
    ),
  );
  const first = read();
  const answers = await Promise.all(
    asked.map(({ language, as, coding }) =>
      api.ask('/api/board', { as, headers: { 'accept-language': language, 'accept-encoding': coding } }),
    ),
  );
  expect((await first).body.alerts[0].message).toMatch(/^Callbacks cannot reach/);
  const seen = answers.map(({ headers, body }) => ({
    language: headers.get('content-language'),
    isKorean: /[가-힣]/.test(body.alerts[0].message),
    vary: headers.get('vary'),
  }));
  const vary = 'accept-encoding, Accept-Language';
  expect(seen).toEqual(asked.map(({ language }) => ({ language, isKorean: language === 'ko', vary })));
});

it('is filtered by what the address asks for', async () => {
  const query = 'attention=return-late&productId=4&owner=Kim&q=3456';
  expect((await api.ask(`/api/board?${query}`, { as: 'viewer' })).status).toBe(200);
  expect(api.parts.boardFilters).toEqual([
    { attention: 'return-late', productId: 4, owner: 'Kim', q: '3456' },
  ]);
  const refused = await api.ask('/api/board?lane=out', { as: 'viewer' });
  expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_QUERY']);
});

it("with mine=true it is that of the caller's login; of viewers without the staff that they do not see", async () => {
  for (const as of ['viewer', 'staff', 'manager'] as const)
    expect((await api.ask('/api/board?mine=true&q=3456', { as })).status).toBe(200);
  expect((await api.ask('/api/board?mine=false', { as: 'staff' })).status).toBe(200);
  expect(api.parts.boardFilters).toEqual([
    { q: '3456', involved: { owner: 'board' } },
    { q: '3456', involved: { owner: 'kim', staff: 'kim' } },
    { q: '3456', involved: { owner: 'lee', staff: 'lee' } },
    {},
  ]);
  for (const query of ['mine=kim', 'involved=kim', 'mine=true&mine=true']) {
    const refused = await api.ask(`/api/board?${query}`, { as: 'staff' });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_QUERY']);
  }
});

it('callers that ask for theirs at once have their own rows, and those that ask for all have all', async () => {
  api.parts.onBoard = async (filter) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { staff = 'all' } = filter?.involved ?? {};
    const row = item();
    const items = [{ ...row, private: { ...row.private, dispatchStaff: staff } }];
    return { ...emptyBoard(), attention: { count: 1, items } };
  };
  const staffOf = async (query: string, as: 'staff' | 'manager') =>
    (await api.ask(`/api/board${query}`, { as })).body.lanes.attention.items[0].staff;
  const asked = (['staff', 'manager'] as const).flatMap((as) =>
    ['?mine=true', '', '?mine=true'].map((query) => [query, as] as const),
  );
  expect(await Promise.all(asked.map(([query, as]) => staffOf(query, as)))).toEqual([
    'kim',
    'all',
    'kim',
    'lee',
    'all',
    'lee',
  ]);
});

it('has as many rows of each lane as the limit, up to 500', async () => {
  expect((await api.ask('/api/board?limit=80', { as: 'viewer' })).status).toBe(200);
  expect(api.parts.boardFilters.at(-1)).toEqual({ limit: 80 });
  for (const limit of ['0', '501', 'all']) {
    const refused = await api.ask(`/api/board?limit=${limit}`, { as: 'viewer' });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_QUERY']);
  }
});

it('a part that does not answer is named; one that is silent delays no answer', async () => {
  const own = await startApi({
    probes: {
      database: async () => {},
      temporal: async () => Promise.reject(new Error('away')),
      worker: () => new Promise(() => {}),
    },
  });
  try {
    const begun = Date.now();
    expect((await own.ask('/api/board', { as: 'viewer' })).status).toBe(200);
    expect(Date.now() - begun).toBeLessThan(10_000);
    await vi.waitFor(
      async () => {
        const { body } = await own.ask('/api/board', { as: 'viewer' });
        expect(body.degraded).toEqual(['temporal', 'worker']);
        expect(Object.keys(body.degradedSince)).toEqual(['temporal', 'worker']);
      },
      { timeout: 20_000, interval: 200 },
    );
  } finally {
    await own.close();
  }
});

it('a board that cannot be read is an error, never an empty one', async () => {
  api.parts.onBoard = async () => {
    throw new Error('the database is away');
  };
  expect((await read()).status).toBe(500);
  show(item());
  expect((await read()).rows).toHaveLength(1);
});

it('however many ask, one read runs and one waits; none gets what was read before it asked', async () => {
  let [reads, running, most] = [0, 0, 0];
  const turns = new ReadsInTurn(async () => {
    running += 1;
    most = Math.max(most, running);
    const begun = ++reads;
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (begun === 2) throw new Error('lost');
    return begun;
  });
  const first = turns.next();
  await new Promise((resolve) => setTimeout(resolve, 1));
  const second = [turns.next(), turns.next()];
  expect(await first).toBe(1);
  await Promise.all(second.map((one) => expect(one).rejects.toThrow('lost')));
  expect(await Promise.all([turns.next(), turns.next()])).toEqual([3, 3]);
  expect({ reads, most }).toEqual({ reads: 3, most: 1 });
});

it('between two answers of a shared read everything else has its turn', async () => {
  const turns = new ReadsInTurn(async () => 'board');
  const seen: string[] = [];
  let isOver = false;
  const others = (async () => {
    for (; !isOver; await new Promise((resolve) => setImmediate(resolve))) seen.push('others');
  })();
  await Promise.all(Array.from({ length: 4 }, async () => seen.push(await turns.next())));
  isOver = true;
  await others;
  expect(seen.filter((one) => one === 'board')).toHaveLength(4);
  expect(seen.join(' ')).not.toContain('board board');
});

it('a row has the owners of its items, and that of the gravest', async () => {
  const attention = [
    { kind: 'conflict' as const, since: noon },
    { kind: 'handover-late' as const, since: noon },
  ];
  show(
    item({ attention, owners: { 'handover-late': 'kim' } }),
    item({ attention, owners: { conflict: 'lee' } }),
  );
  const { rows } = await read('viewer');
  expect(rows).toMatchObject([
    { owner: null, attention: [{ owner: null }, { kind: 'handover-late', owner: 'kim' }] },
    { owner: 'lee', attention: [{ owner: 'lee' }, { owner: null }] },
  ]);
});

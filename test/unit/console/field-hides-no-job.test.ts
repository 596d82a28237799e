import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoardRow, LaneName } from '../../../console/api/types.js';
import { inPlace, listed } from '../../../console/state/in-place.js';
import { FakeIndexedDb } from '../../support/indexed-db.js';
import { loadModules, stubPage } from '../../support/page.js';

type Row = Pick<BoardRow, 'reservationId' | 'sequence' | 'relevantAt' | 'next'>;
type Lanes = Partial<Record<LaneName, { count?: number; items: Row[] }>>;

const next = { action: 'dispatch.start', target: 10 } as const;
const row = (reservationId: number, changes: Partial<Row> = {}): Row => ({
  reservationId,
  sequence: 1,
  relevantAt: timeOf(reservationId),
  next,
  ...changes,
});
const timeOf = (minute: number) => new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString();
const viewOf = (reservationId: number) => ({
  reservationId,
  sequence: 1,
  status: { code: 5, grade: 'observed', since: null },
  car: { id: 12, number: '12가3456' },
  period: { start: timeOf(reservationId), end: timeOf(600) },
  pickup: { address: null, memo: null },
  parking: { memo: null },
  dispatch: { staff: null },
  recall: { staff: null },
  actions: [],
});

/** What the service has. */
let lanes: { mine: Lanes; all: Lanes };
/** What it answers for one reservation instead of its view. */
let broken: Map<number, () => Response>;
let requested: string[];
let database: FakeIndexedDb;

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'handover-api': '1' } });
const boardOf = (some: Lanes) => {
  const names = ['attention', 'dueOut', 'out', 'dueBack', 'toRecall'] as const;
  const all = names.map((name) => {
    const { items = [], count = items.length } = some[name] ?? {};
    return [name, { count, items }];
  });
  return { asOf: '', lanes: Object.fromEntries(all), alerts: [], degraded: [], degradedSince: {} };
};
async function answer(path: string): Promise<Response> {
  requested.push(path);
  if (path === '/api/board?mine=true') return json(boardOf(lanes.mine));
  if (path === '/api/board') return json(boardOf(lanes.all));
  const id = Number(path.split('/').at(-1));
  return broken.get(id)?.() ?? json(viewOf(id));
}

beforeEach(() => {
  // the page's clock does not outlive the test
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  [lanes, broken, requested] = [{ mine: {}, all: {} }, new Map(), []];
  database = new FakeIndexedDb();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openField() {
  stubPage({
    fetch: answer,
    indexedDB: database,
    BroadcastChannel: class {},
    addEventListener: () => {},
    localStorage: { getItem: () => null, setItem: () => {} },
  });
  const [jobs, session, queue, texts] = await loadModules(
    'console/screens/go/jobs.ts',
    'console/state/session.ts',
    'console/offline/queue.ts',
    'console/texts/index.ts',
  );
  session.session.value = { is: 'in', me: { name: 'kim', role: 'staff' } };
  const shown = () =>
    jobs.jobs.value.map((job: { reservationId: number; isMine: boolean; staleSince: number | null }) =>
      [job.reservationId, job.isMine && 'mine', job.staleSince !== null && 'stale'].filter(Boolean).join(' '),
    );
  jobs.followApplied();
  const sequences = () => jobs.jobs.value.map(({ sequence }: { sequence: number }) => sequence);
  return {
    sync: jobs.syncJobs,
    shown,
    sequences,
    asOf: () => jobs.jobsAsOf.value,
    setLanguage: (chosen: string) => {
      texts.language.value = chosen;
    },
    /** An action of the queue is applied. */
    apply: (view: object) => queue.onApplied.run(view),
  };
}
const lost = () => {
  throw new TypeError('no answer');
};
const temporalAway = () => json({ code: 'ENGINE_UNAVAILABLE', title: '', status: 503, detail: '' }, 503);
const unreadable = () => json({ reservationId: 2 });

it('an action that is applied while the jobs are read is not undone by what was read before', async () => {
  lanes.all = { dueOut: { items: [row(1)] } };
  const { sync, apply, sequences } = await openField();
  await sync();
  lanes.all = { dueOut: { items: [row(1, { sequence: 2 }), row(2)] } };
  broken.set(1, () => json({ ...viewOf(1), sequence: 2 }));
  broken.set(2, () => {
    apply({ ...viewOf(1), sequence: 3 });
    return json(viewOf(2));
  });
  await sync();
  expect(sequences()).toEqual([3, 1]);
  const stored = [...(database.stores.jobs?.values() ?? [])].map(({ sequence }) => sequence);
  expect(stored.sort()).toEqual([1, 3]);
});

describe('a reservation that cannot be read', () => {
  it.each([
    ['is refused', temporalAway],
    ['gets no answer', lost],
    ['has a form that this page does not know', unreadable],
  ])('hides no other, and is counted: one that %s', async (_, failure) => {
    lanes.all = { dueOut: { items: [1, 2, 3].map((id) => row(id)) } };
    broken.set(2, failure);
    const { sync, shown } = await openField();
    expect(await sync()).toMatchObject({ failed: 1 });
    expect(shown()).toEqual(['1', '3']);
  });

  it('stays as it was stored, marked as of then, until it is read again', async () => {
    lanes.all = { dueOut: { items: [row(1), row(2)] } };
    const before = await openField();
    await before.sync();
    const since = before.asOf();
    lanes.all = { dueOut: { items: [row(1), row(2, { sequence: 2 }), row(3)] } };
    broken.set(2, temporalAway);
    // another page of this phone, later
    const { sync, shown } = await openField();
    expect(await sync()).toMatchObject({ failed: 1 });
    expect(shown()).toEqual(['1', '2 stale', '3']);
    await sync();
    expect(database.stores.jobs?.get(2)).toMatchObject({ staleSince: since });
    broken.clear();
    expect(await sync()).toMatchObject({ failed: 0 });
    expect(shown()).toEqual(['1', '2', '3']);
  });

  it('of a fresh phone is counted where no other can be read either: never as nothing to do', async () => {
    lanes.all = { dueOut: { items: [1, 2].map((id) => row(id)) } };
    for (const id of [1, 2]) broken.set(id, temporalAway);
    const { sync, shown } = await openField();
    expect(await sync()).toMatchObject({ failed: 2 });
    expect(shown()).toEqual([]);
  });
});

it('jobs are read again in another language: the service writes why a step is refused', async () => {
  lanes.all = { dueOut: { items: [row(1)] } };
  const { sync, setLanguage } = await openField();
  const readings = () => requested.filter((path) => path.endsWith('/1')).length;
  for (const [language, read] of [
    ['en', 1],
    ['en', 1],
    ['ko', 2],
    ['ko', 2],
  ] as const) {
    setLanguage(language);
    await sync();
    expect([language, readings()]).toEqual([language, read]);
  }
});

it('a board that cannot be read is an error, and what is stored stays', async () => {
  lanes.all = { dueOut: { items: [row(1)] } };
  const { sync, shown } = await openField();
  await sync();
  vi.stubGlobal('fetch', async (path: string) => (path.includes('mine') ? temporalAway() : answer(path)));
  await expect(sync()).rejects.toMatchObject({ status: 503 });
  expect(shown()).toEqual(['1']);
});

describe("the user's own jobs", () => {
  it('are read before all others, also where they are not among the first of the board', async () => {
    lanes.mine = { dueOut: { items: [row(55)] }, attention: { items: [row(54)] } };
    lanes.all = { dueOut: { count: 60, items: Array.from({ length: 40 }, (_, index) => row(index + 1)) } };
    const { sync, shown } = await openField();
    const { others } = await sync();
    expect(shown().slice(-2)).toEqual(['54 mine', '55 mine']);
    expect(shown()).toHaveLength(30);
    expect(others).toEqual({ mine: 0, all: 30 });
    expect(requested.filter((path) => path.endsWith('/55'))).toHaveLength(1);
  });

  it('are counted by the service; what has no next step is no job', async () => {
    const items = Array.from({ length: 40 }, (_, index) => row(index + 1));
    lanes.mine = { dueOut: { count: 46, items }, out: { items: [row(90, { next: null })] } };
    lanes.all = { dueOut: { count: 100, items }, out: { items: [row(90, { next: null })] } };
    const { sync, shown } = await openField();
    expect((await sync()).others).toEqual({ mine: 16, all: 70 });
    expect(shown()).not.toContain('90');
  });

  it('are no longer theirs once the service names another person', async () => {
    lanes.all = { dueOut: { items: [row(1)] } };
    lanes.mine = lanes.all;
    const { sync, shown } = await openField();
    await sync();
    expect(shown()).toEqual(['1 mine']);
    lanes.mine = {};
    await sync();
    expect(shown()).toEqual(['1']);
    // it did not change: nothing is read again
    expect(requested.filter((path) => path.endsWith('/1'))).toHaveLength(1);
  });
});

it('at most four reservations are read at a time', async () => {
  lanes.all = { dueOut: { items: Array.from({ length: 12 }, (_, index) => row(index + 1)) } };
  let [running, most] = [0, 0];
  const { sync } = await openField();
  vi.stubGlobal('fetch', async (path: string) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return answer(path);
  });
  await sync();
  expect(most).toBe(4);
});

describe('rows of a list in place', () => {
  const id = (one: { id: number }) => one.id;
  const rows = (...ids: number[]) => ids.map((one) => ({ id: one }));
  const show = (all: ReturnType<typeof listed<{ id: number }>>) =>
    all.map((one) => `${one.row.id} ${one.is}`);
  const before = listed(rows(2, 4, 6));

  it('have new content where they are, and new ones are below', () => {
    const newest = rows(1, 2, 6, 4);
    const after = inPlace(before, { items: newest, idOf: id, most: 9 });
    expect(show(after)).toEqual(['2 here', '4 here', '6 here', '1 added']);
    expect(after[0]?.row).toBe(newest[1]);
  });

  it('stay marked when they left the list, and return without a mark', () => {
    const after = inPlace(before, { items: rows(2, 6), idOf: id, most: 9 });
    expect(show(after)).toEqual(['2 here', '4 left', '6 here']);
    expect(show(inPlace(after, { items: rows(4, 2, 6), idOf: id, most: 9 }))).toEqual([
      '2 here',
      '4 here',
      '6 here',
    ]);
  });
});

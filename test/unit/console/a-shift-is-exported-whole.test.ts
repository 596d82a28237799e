import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

const since = '2026-11-23T00:00:00+09:00';
const n = 2_001;
const at = (index: number) => new Date(Date.UTC(2026, 10, 23, 12) - index * 1_000).toISOString();
const entries = Array.from({ length: n }, (_, index) => ({
  id: `audit/${n - index}`,
  at: at(index),
  by: 'kim',
  action: 'hold.create',
  subject: `hold/${n - index}`,
  data: {},
  carId: null,
  carNumber: null,
}));

/** The service has so many entries; pages from `failsFrom` on fail. */
function serve(failsFrom = Infinity): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  stubPage({
    fetch: async (address: string) => {
      const { searchParams: query } = new URL(address, 'http://handover.test');
      asked.push(query);
      const from = Number(query.get('cursor') ?? 0);
      const to = from + Number(query.get('limit'));
      if (from >= failsFrom) return new Response('<html>busy</html>', { status: 503 });
      const body = { items: entries.slice(from, to), nextCursor: to < n ? `${to}` : null, asOf: at(0) };
      return new Response(JSON.stringify(body), { headers: { 'handover-api': '1' } });
    },
  });
  return asked;
}

// else the console's clock ticks after the page is gone
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('more entries than the screen shows are all in the file, in their order', async () => {
  const asked = serve();
  const [{ csvSince }] = await loadModules('console/screens/shift/export.ts');
  const csv: string = await csvSince(since);
  const [, ...rows] = csv.trimEnd().split('\r\n');
  expect(rows.map((row) => /"hold\/(\d+)"/.exec(row)?.[1])).toEqual(
    Array.from({ length: n }, (_, index) => `${n - index}`),
  );
  expect(asked.map((query) => query.get('since'))).toEqual(Array(5).fill(since));
});

it('a page that cannot be read leaves no shorter file', async () => {
  serve(2_000);
  const [{ csvSince }, { ApiError }] = await loadModules(
    'console/screens/shift/export.ts',
    'console/api/client.ts',
  );
  await expect(csvSince(since)).rejects.toBeInstanceOf(ApiError);
});

it('a command whose outcome is not known yet is none that was done at once', async () => {
  const { at: first } = entries[0] as (typeof entries)[number];
  const command = {
    id: 'reservation/1/2',
    at: first,
    by: 'kim',
    action: 'dispatch.start',
    subject: 'reservation/1',
  };
  stubPage({
    fetch: async () => {
      const items = [
        { ...command, data: { commandId: 'c-1' }, carId: null, carNumber: null },
        { ...command, data: { commandId: 'c-2', outcome: 'applied' }, carId: null, carNumber: null },
        { ...command, id: 'audit/3', data: {}, carId: null, carNumber: null },
      ];
      const body = { items, nextCursor: null, asOf: first };
      return new Response(JSON.stringify(body), { headers: { 'handover-api': '1' } });
    },
  });
  const [{ csvSince }, { loadTexts }] = await loadModules(
    'console/screens/shift/export.ts',
    'console/texts/index.ts',
  );
  await loadTexts();
  const [, ...rows] = (await csvSince(since)).trimEnd().split('\r\n');
  expect(rows.map((row: string) => row.split(',').at(-1))).toEqual(['"No outcome yet"', '"Applied"', '""']);
});

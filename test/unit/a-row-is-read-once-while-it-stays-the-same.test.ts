import { expect, it, vi } from 'vitest';
import { LastRead, type Version } from '../../src/store/reservations/last-read.js';

const row = (reservationId: number, version = 'a') => ({
  reservationId,
  version,
  is: `${version}${reservationId}`,
});
type Row = ReturnType<typeof row>;

/** A table, and which of its rows were read. */
function tableOf(...rows: Row[]) {
  const stored = new Map(rows.map((one) => [one.reservationId, one]));
  const read = vi.fn(async (ids: number[]) => ids.flatMap((id) => stored.get(id) ?? []));
  const lastRead = new LastRead<Row>();
  return {
    reading: async (...wanted: Version[]) => [...(await lastRead.read(wanted, read)).values()],
    write: (one: Row) => stored.set(one.reservationId, one),
    remove: (id: number) => stored.delete(id),
    readIds: () => read.mock.calls.splice(0).map(([ids]) => ids),
  };
}

it('the next reading reads the rows that were written since, and those that are new', async () => {
  const table = tableOf(row(1), row(2), row(3));
  expect(await table.reading(row(1), row(2))).toEqual([row(1), row(2)]);
  table.write(row(2, 'b'));
  expect(await table.reading(row(1), row(2, 'b'), row(3))).toEqual([row(1), row(2, 'b'), row(3)]);
  expect(await table.reading(row(3), row(1))).toEqual([row(3), row(1)]);
  expect(table.readIds()).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

it('what the last reading did not show is not remembered (L60)', async () => {
  const table = tableOf(row(1), row(2));
  await table.reading(row(1));
  await table.reading(row(2));
  await table.reading(row(1));
  expect(table.readIds()).toEqual([[1], [2], [1]]);
});

it('a row that is written or removed between its ranking and its reading is shown as it is then, and read again where that is not what was ranked', async () => {
  const table = tableOf(row(1, 'b'), row(2));
  table.remove(2);
  expect(await table.reading(row(1, 'a'), row(2))).toEqual([row(1, 'b')]);
  expect(await table.reading(row(1, 'b'))).toEqual([row(1, 'b')]);
  expect(table.readIds()).toEqual([[1, 2]]);
  await table.reading(row(1, 'a'));
  expect(table.readIds()).toEqual([[1]]);
});

it('a reading that fails changes nothing that is remembered', async () => {
  const lastRead = new LastRead<Row>();
  await lastRead.read([row(1)], async () => [row(1)]);
  await expect(lastRead.read([row(2)], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const read = vi.fn();
  expect([...(await lastRead.read([row(1)], read)).values()]).toEqual([row(1)]);
  expect(read).not.toHaveBeenCalled();
});

import type { Plates } from '../../store/cars/plates.js';
import type { ListPage } from '../../store/page.js';

/** The rows of a page with the plates of their cars. */
export async function withPlates<Row extends { carId: number | null }>(
  plates: Plates,
  { items, ...rest }: ListPage<Row>,
): Promise<ListPage<Row & { carNumber: string | null }>> {
  const carIds = new Set(items.flatMap(({ carId }) => carId ?? []));
  const known = await plates.of([...carIds]);
  const plateOf = (carId: number | null) => (carId === null ? null : (known.get(carId) ?? null));
  return { items: items.map((row) => ({ ...row, carNumber: plateOf(row.carId) })), ...rest };
}

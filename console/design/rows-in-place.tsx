import type { ComponentChildren } from 'preact';
import { inPlace, listed, unsorted } from '../state/in-place.js';
import { useInPlace } from '../state/use-in-place.js';
import { t } from '../texts/index.js';
import { Button } from './button.js';
import { Empty } from './load.js';
import { Mark } from './mark.js';

interface RowsProps<Row> {
  items: readonly Row[];
  /** So many of them are shown; absent: all. */
  count?: number;
  idOf(row: Row): string | number;
  /** What it means that there are none. */
  empty: string;
  row(row: Row): ComponentChildren;
  /** Nothing leaves it: an entry that is no longer read is only older. */
  isLog?: boolean;
  /** What can be done with a row, for as long as it is listed. */
  button?(row: Row): ComponentChildren;
}

/** The rows of a panel. None moves while others work: a row that left stays marked, and new ones are shown on request. */
export function RowsInPlace<Row>({ items, count, idOf, isLog, empty, row, button }: RowsProps<Row>) {
  const list = { idOf, hasLeft: () => isLog !== true };
  const { rows, sort } = useInPlace(items, {
    sorted: listed<Row>,
    // nothing is below the pointer in an empty list
    inPlace: (shown, newest) =>
      shown.length === 0 || newest.length === 0 ? listed(newest) : inPlace(shown, { items: newest, ...list }),
  });
  const changed = unsorted(rows, { items, idOf });
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <ul>
        {rows.slice(0, count).map(({ row: one, is }) => (
          <li key={idOf(one)} class={`item ${is}`}>
            {row(one)}
            {is === 'left' ? (
              <Mark icon="next" tone="plain">
                {t('now.gone')}
              </Mark>
            ) : (
              button?.(one)
            )}
          </li>
        ))}
      </ul>
      {changed > 0 && <SortRows n={changed} sort={sort} areNew={rows.every(({ is }) => is === 'here')} />}
    </>
  );
}

interface SortRowsProps {
  n: number;
  sort(): void;
  /** None of them is on the screen. */
  areNew?: boolean;
}

/** Out of the flow, so that no row moves when it appears. */
export function SortRows({ n, sort, areNew = false }: SortRowsProps) {
  return (
    <span class="sort-rows">
      <Button kind="primary" icon="refresh" shortcut="s" onClick={sort}>
        {areNew ? t('in.newer', { n }) : t('now.sort', { n })}
      </Button>
    </span>
  );
}

import './now.css';
import { useEffect } from 'preact/hooks';
import { forgetOutcomes, useForgottenOutcomes } from '../../actions/last-step.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Board, LaneName } from '../../api/types.js';
import { Load } from '../../design/load.js';
import { SortRows } from '../../design/rows-in-place.js';
import { clickInRow, rowShortcuts } from '../../shortcuts/row-focus.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import { useResource } from '../../state/resource.js';
import { place } from '../../state/router.js';
import { useInPlace } from '../../state/use-in-place.js';
import { t } from '../../texts/index.js';
import { AlertStrip } from './alert-strip.js';
import { firstRows, inPlace, keepEqual, laneNames, sorted, unsorted } from './arrangement.js';
import { SelectionBar } from './bulk-staff.js';
import { boardQuery, chosenLane, Filters, openFilter } from './filters.js';
import { Lane } from './lane.js';

/** The one lane of which the user shows more, in steps, as many as the API has: for as long as the address is the same. */
let longer: { lane: string; rows: number } | undefined;
const mostRows = 500;
const here = (lane: LaneName) => lane + location.search;
const mostOf = (lane: LaneName) => (longer?.lane === here(lane) ? longer.rows : firstRows);

/** The last answer, of whichever filter. */
let last: Board | undefined;

const row = '.board .board-row';
const link = 'a.plate-link';
const shortcuts: Shortcut[] = [
  ...rowShortcuts(row, link),
  { keys: 'n', name: () => t('shortcuts.nextStep'), run: () => clickInRow(row, '.button.step') },
  { keys: 'o', name: () => t('shortcuts.open'), run: () => clickInRow(row, link) },
  { keys: 'x', name: () => t('shortcuts.select'), run: () => clickInRow(row, '.select-row input') },
  { keys: 'f', name: () => t('filter.title'), run: openFilter },
];

/** What needs attention, and what is due. */
export function NowScreen() {
  const { query } = place.value;
  const filter = boardQuery(query);
  const key = `board ${new URLSearchParams(filter)}`;
  const board = useResource(key, {
    load: async () => {
      const { body } = await send(endpoints.board, { query: { ...filter, limit: longer?.rows } });
      last = keepEqual(last, body);
      return last;
    },
    concerns: ({ event }) => ['reservation', 'alert', 'claim', 'reset'].includes(event),
    // a part that does not answer, and what time alone moves to another lane
    visibleEveryMs: 30_000,
  });
  useShortcuts(shortcuts);
  useForgottenOutcomes();
  return (
    <>
      <h1 class="only-spoken">{t('nav.now')}</h1>
      <Filters />
      <Load of={board}>
        {(data, isStale) => (
          <Lanes
            key={location.search}
            board={data}
            isStale={isStale}
            refresh={() => board.refresh()}
            names={laneNames.filter((name) => (chosenLane(query) ?? name) === name)}
            isFiltered={Object.keys(filter).length > 0}
          />
        )}
      </Load>
    </>
  );
}

interface LanesProps {
  board: Board;
  isStale: boolean;
  refresh(): Promise<void>;
  names: readonly LaneName[];
  isFiltered: boolean;
}

function Lanes({ board, isStale, refresh, names, isFiltered }: LanesProps) {
  const { rows: arrangement, sort } = useInPlace(board, {
    sorted: (newest) => sorted(newest, mostOf),
    inPlace: (shown, newest) => inPlace(shown, newest, mostOf),
  });
  useEffect(
    () => () => {
      longer = undefined;
    },
    [],
  );
  const changed = unsorted(arrangement, board, mostOf);
  const sortSeen = () => {
    forgetOutcomes();
    sort();
  };
  const more = async (lane: LaneName) => {
    longer = { lane: here(lane), rows: Math.min(mostOf(lane) + firstRows, mostRows) };
    await refresh();
    // once they are rendered
    requestAnimationFrame(sort);
  };
  return (
    <div class="stack">
      <AlertStrip board={board} isStale={isStale} />
      {names.length > 1 && <LaneLinks board={board} />}
      <div class={names.length > 1 ? 'board' : 'board one'}>
        {names.map((lane) => (
          <Lane
            key={lane}
            name={lane}
            count={board.lanes[lane].count}
            rows={arrangement[lane]}
            isFiltered={isFiltered}
            more={mostOf(lane) < mostRows ? () => void more(lane) : undefined}
          />
        ))}
      </div>
      <SelectionBar />
      {changed > 0 && <SortRows n={changed} sort={sortSeen} />}
    </div>
  );
}

/** On a phone the lanes are below each other: these lead to them. */
function LaneLinks({ board }: { board: Board }) {
  return (
    <nav class="lane-links row" aria-label={t('now.lanes')}>
      {laneNames.map((lane) => (
        <a key={lane} class="button quiet" href={`#lane-${lane}`}>
          {t(`lane:${lane}`)} <span class="count">{board.lanes[lane].count}</span>
        </a>
      ))}
    </nav>
  );
}

import type { LaneName } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Empty } from '../../design/load.js';
import { laneIcons } from '../../design/meanings.js';
import { Panel } from '../../design/panel.js';
import { t } from '../../texts/index.js';
import type { PlacedRow } from './arrangement.js';
import { BoardRowItem } from './board-row.js';

interface LaneProps {
  name: LaneName;
  count: number;
  rows: readonly PlacedRow[];
  isFiltered: boolean;
  /** Absent: there are as many as there can be. */
  more?: (() => void) | undefined;
}

export function Lane({ name, count, rows, isFiltered, more }: LaneProps) {
  return (
    <div id={`lane-${name}`} class={`lane ${name}`}>
      <Panel title={t(`lane:${name}`)} icon={laneIcons[name]} count={count} isFlush>
        {rows.length === 0 ? (
          <Empty>{t(isFiltered ? 'filter.none' : `lane:${name}.empty`)}</Empty>
        ) : (
          <ul>
            {rows.map((placed) => (
              <BoardRowItem key={placed.row.reservationId} {...placed} />
            ))}
          </ul>
        )}
        {count > rows.length && (
          <p class="more row wrap">
            <span class="soft small grow">{t('now.more', { shown: rows.length, count })}</span>
            {more !== undefined && (
              <Button icon="down" shortcut="+" onClick={more}>
                {t('now.showMore')}
              </Button>
            )}
          </p>
        )}
      </Panel>
    </div>
  );
}

import { Load } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { t } from '../../texts/index.js';
import { DeedHead } from './deeds.js';
import { PartNotice } from './part-notice.js';
import { useAudit } from './reads.js';

/** Changes beside the reservations, with their reasons. */
export function Audit({ since }: { since: string }) {
  return (
    <Panel title={t('shift.audit')} icon="asserted" isFlush>
      <Load of={useAudit(since)}>
        {({ items, isWhole }) => (
          <>
            <PartNotice isWhole={isWhole} n={items.length} />
            <RowsInPlace
              items={items}
              isLog
              idOf={({ id }) => id}
              empty={t('none')}
              row={({ reason, reasonCode, ...deed }) => (
                <>
                  <DeedHead {...deed} />
                  {reason !== null && <span class="reason">“{reason}”</span>}
                  {reasonCode !== null && (
                    <span class="soft small">{t('shift.audit.noReason', { code: reasonCode })}</span>
                  )}
                </>
              )}
            />
          </>
        )}
      </Load>
    </Panel>
  );
}

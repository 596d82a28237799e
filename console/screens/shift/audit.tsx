import { Empty, Load } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { t } from '../../texts/index.js';
import { DeedHead } from './deeds.js';
import { PartNotice } from './part-notice.js';
import { useAudit } from './reads.js';

/** Changes beside the reservations, with their reasons. */
export function Audit({ since }: { since: string }) {
  return (
    <Panel title={t('shift.audit')} icon="asserted" isFlush>
      <Load of={useAudit(since)}>
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Empty>{t('shift.audit.none')}</Empty>
          ) : (
            <>
              <PartNotice isWhole={isWhole} n={items.length} />
              <ul>
                {items.map(({ id, reason, reasonCode, ...deed }) => (
                  <li key={id} class="line row wrap">
                    <DeedHead {...deed} />
                    {reason !== null && <span class="reason">“{reason}”</span>}
                    {reasonCode !== null && (
                      <span class="soft small">{t('shift.audit.noReason', { code: reasonCode })}</span>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Load>
    </Panel>
  );
}

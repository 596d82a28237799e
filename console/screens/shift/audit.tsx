import { Empty, Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { Panel } from '../../design/panel.js';
import { t } from '../../texts/index.js';
import { carOf, DeedHead } from './deeds.js';
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
              {!isWhole && (
                <Notice tone="warn" icon="attention">
                  {t('shift.part', { n: items.length })}
                </Notice>
              )}
              <ul>
                {items.map(({ id, reason, reasonCode, ...deed }) => (
                  <li key={id} class="line row wrap">
                    <DeedHead {...deed} carId={carOf(deed)} />
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

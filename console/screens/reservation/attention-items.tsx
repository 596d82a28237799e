import { useRef, useState } from 'preact/hooks';
import { Owner } from '../../actions/owner.js';
import { ResolveAttention } from '../../actions/resolve-attention.js';
import type { Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon } from '../../design/icon.js';
import { NotRead } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment, readable } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';

/** What needs attention, what to do about it, who does it. */
export function AttentionItems({ reservation }: { reservation: Reservation }) {
  const { reservationId, attention, closed } = reservation;
  const [resolved, setResolved] = useState<string | null>(null);
  // nothing below it moves once it is there
  const isShown = useRef(false);
  isShown.current ||= attention.length > 0;
  if (!isShown.current) return null;
  return (
    <Panel
      title={t('lane:attention')}
      icon="attention"
      count={attention.length}
      class="attention-items"
      isFlush
    >
      <RowsInPlace
        items={attention}
        idOf={({ kind }) => kind}
        empty={t('lane:attention.empty')}
        row={({ kind, since, message }) => (
          <>
            <Icon name="attention" />
            <div class="grow">
              <p class="row wrap">
                <strong>{textOf('attention', kind)}</strong>
                <span class="small soft">
                  <Moment at={since} />
                </span>
              </p>
              <p>{readable(message)}</p>
            </div>
          </>
        )}
        button={({ kind, owner }) =>
          closed ? (
            <span class="soft small">{t('shift.item:left')}</span>
          ) : (
            <span class="row no-print">
              {owner === undefined ? (
                <NotRead what={t('filter:owner')} />
              ) : (
                <Owner reservationId={reservationId} kind={kind} owner={owner} />
              )}
              {may('manager') && (
                <Button shortcut="r" onClick={() => setResolved(kind)}>
                  {t(kind === 'command-unknown' ? 'commands.resolve' : 'owner.resolveItem')}
                </Button>
              )}
            </span>
          )
        }
      />
      {resolved !== null && (
        <ResolveAttention reservationId={reservationId} kind={resolved} onClose={() => setResolved(null)} />
      )}
    </Panel>
  );
}

import type { Shift } from '../../api/types.js';
import { Empty } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { formatMoment, Moment } from '../../design/time.js';
import { t } from '../../texts/index.js';

/** What the shift before left to know: the first thing to read. */
export function LastNote({ shift: { at, by }, note }: { shift: Shift; note: string }) {
  return (
    <Panel title={t('shift.lastNote')} icon="shift">
      <p class="note">{note}</p>
      <p class="soft small">
        {by}, <Moment at={at} />
      </p>
    </Panel>
  );
}

/** Shifts that were accepted, each with its note. */
export function PastShifts({ shifts }: { shifts: readonly Shift[] }) {
  return (
    <Panel title={t('shift.past')} icon="shift" isFlush>
      {shifts.length === 0 ? (
        <Empty>{t('shift.past.none')}</Empty>
      ) : (
        <ul>
          {shifts.map(({ shiftId, at, by, since, note }) => (
            <li key={shiftId} class="line">
              <p class="row wrap">
                <Moment at={at} />
                <strong>{by}</strong>
                <span class="soft small numeric">
                  {t('shift.past.since', { time: formatMoment(since, { withDay: true }) })}
                </span>
              </p>
              {note !== null && <p class="note">{note}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

import type { Shift } from '../../api/types.js';
import { Empty } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { formatMoment, Moment } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { t } from '../../texts/index.js';
import { notesOf } from './notes.js';

/** What the last shift left to know, and what was noted in this one: the first thing to read. */
export function Notes({ shifts }: { shifts: readonly Shift[] }) {
  const notes = notesOf(shifts, serviceTime());
  return notes.length === 0 ? null : (
    <Panel title={t('shift.notes')} icon="shift" isFlush>
      <Entries shifts={notes} />
    </Panel>
  );
}

/** The last twenty that were accepted or noted, the newest first. */
export function PastShifts({ shifts }: { shifts: readonly Shift[] }) {
  return (
    <Panel title={t('shift.past')} icon="shift" isFlush>
      {shifts.length === 0 ? <Empty>{t('none')}</Empty> : <Entries shifts={shifts.slice(0, 20)} />}
    </Panel>
  );
}

function Entries({ shifts }: { shifts: readonly Shift[] }) {
  return (
    <ul>
      {shifts.map(({ shiftId, at, by, since, note }) => (
        <li key={shiftId} class="line">
          <p class="row wrap">
            <Moment at={at} />
            <strong>{by}</strong>
            {since !== null && (
              <span class="soft small numeric">
                {t('shift.past.since', { time: formatMoment(since, { withDay: true }) })}
              </span>
            )}
          </p>
          {note !== null && <p class="note">{note}</p>}
        </li>
      ))}
    </ul>
  );
}

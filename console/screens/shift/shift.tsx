import './shift.css';
import { useState } from 'preact/hooks';
import type { Shift } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Load, LoadError } from '../../design/load.js';
import { MomentField } from '../../design/moment-field.js';
import { Notice } from '../../design/notice.js';
import { toInstant, toLocal } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { place, setQuery } from '../../state/router.js';
import { may } from '../../state/session.js';
import { useAttempt } from '../../state/use-attempt.js';
import { t } from '../../texts/index.js';
import { Audit } from './audit.js';
import { download } from './download.js';
import { csvSince } from './export.js';
import { shiftMs } from './notes.js';
import { Notes, PastShifts } from './past.js';
import { useShifts } from './reads.js';
import { ShiftDialog } from './shift-dialog.js';
import { Story } from './story.js';

/** What happened since a given time, for the person who accepts the shift. */
export function ShiftScreen() {
  return (
    <div class="shift stack">
      <h1 class="only-spoken">{t('nav.shift')}</h1>
      {may('staff') ? (
        <Load of={useShifts()}>{(shifts) => <Since shifts={shifts} />}</Load>
      ) : (
        <Notice icon="lock">{t('shift.staffOnly')}</Notice>
      )}
    </div>
  );
}

const hourMs = 3_600_000;
const hourChoices = [8, 12, 24];
const minute = (at: number) => toLocal(at - (at % 60_000));

/** Without a choice: since the last accepted shift, else twelve hours. */
function Since({ shifts }: { shifts: readonly Shift[] }) {
  const last = shifts.find((shift) => shift.since !== null);
  // one that a colleague accepts meanwhile does not move what is being read
  const [standard] = useState(() => (last ? toLocal(last.at) : minute(serviceTime() - shiftMs)));
  const { query } = place.value;
  const given = query.get('since') ?? '';
  // an address may have anything: what is no moment counts as none
  const local = Number.isNaN(Date.parse(toInstant(given) ?? '')) ? standard : given;
  const since = toInstant(local) ?? '';
  return (
    <>
      <form
        class="panel shift-head"
        aria-label={t('shift.since')}
        onSubmit={(event) => event.preventDefault()}
      >
        <MomentField
          label={t('shift.since')}
          value={local}
          onChange={({ currentTarget }) => setQuery({ since: currentTarget.value })}
        />
        <span class="row wrap no-print">
          {last && (
            <Button shortcut="l" onClick={() => setQuery({ since: toLocal(last.at) })}>
              {t('shift.lastAccepted')}
            </Button>
          )}
          {hourChoices.map((n, at) => (
            <Button
              key={n}
              shortcut={String(at + 1)}
              onClick={() => setQuery({ since: minute(serviceTime() - n * hourMs) })}
            >
              {t('time.hours', { n })}
            </Button>
          ))}
        </span>
        <span class="grow" />
        <Tools since={since} />
      </form>
      <Notes shifts={shifts} />
      <Story key={since} since={since} />
      {may('manager') && <Audit key={since} since={since} />}
      <PastShifts shifts={shifts} />
    </>
  );
}

function Tools({ since }: { since: string }) {
  /** What the open form accepts from when on; empty: a note alone. */
  const [accepts, setAccepts] = useState<string | null>(null);
  const shifts = useShifts();
  const { isBusy, error, run } = useAttempt(async () =>
    download(`shift-${toLocal(since).replace(':', '')}.csv`, await csvSince(since)),
  );
  return (
    <span class="row wrap no-print">
      <Button icon="down" shortcut="e" isBusy={isBusy} onClick={run}>
        {t('shift.csv')}
      </Button>
      <Button icon="print" shortcut="p" onClick={() => print()}>
        {t('shortcuts.print')}
      </Button>
      <Button shortcut="m" onClick={() => setAccepts('')}>
        {t('shift.note')}
      </Button>
      <Button kind="primary" icon="done" shortcut="a" onClick={() => setAccepts(since)}>
        {t('shortcuts.accept')}
      </Button>
      {error !== null && <LoadError error={error} retry={run} />}
      {accepts !== null && (
        <ShiftDialog
          since={accepts}
          onApplied={() => void shifts.refresh()}
          onClose={() => setAccepts(null)}
        />
      )}
    </span>
  );
}

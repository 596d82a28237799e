import { useState } from 'preact/hooks';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import { Field } from '../../design/field.js';
import { formatMoment } from '../../design/time.js';
import { useFormWrite } from '../../state/write.js';
import { t } from '../../texts/index.js';

/** What is accepted is the period of the request that was sent, also in a form that is opened again. */
export function AcceptDialog(props: { since: string; onApplied(): void; onClose(): void }) {
  const write = useFormWrite(endpoints.acceptShift);
  const [since] = useState(() => String(write.sent?.get('since') ?? props.since));
  return (
    <WriteDialog
      title={t('shortcuts.accept')}
      submit={t('shortcuts.accept')}
      endpoint={endpoints.acceptShift}
      body={(data) => {
        const note = textIn(data, 'note');
        return note === '' ? { since } : { since, note };
      }}
      onApplied={props.onApplied}
      write={write}
      onClose={props.onClose}
    >
      <input type="hidden" name="since" value={since} />
      <p>{t('shift.acceptHint', { since: formatMoment(since, { withDay: true }) })}</p>
      <Field label={t('shift.note')} hint={t('shift.noteHint')}>
        <textarea name="note" maxLength={2000} />
      </Field>
    </WriteDialog>
  );
}

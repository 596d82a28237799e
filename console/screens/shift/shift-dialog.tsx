import { useState } from 'preact/hooks';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import { Field } from '../../design/field.js';
import { formatMoment } from '../../design/time.js';
import { useFormWrite } from '../../state/write.js';
import { t } from '../../texts/index.js';

interface ShiftDialogProps {
  /** From when on the shift is accepted; empty: a note alone. */
  since: string;
  onApplied(): void;
  onClose(): void;
}

/** A note for the next shift. What is accepted is the period of the request that was sent, also in a form that is opened again. */
export function ShiftDialog(props: ShiftDialogProps) {
  const isNote = props.since === '';
  const write = useFormWrite(endpoints.addShift, { isNote });
  const [since] = useState(() => String(write.sent?.get('since') ?? props.since));
  const title = t(isNote ? 'shift.note' : 'shortcuts.accept');
  return (
    <WriteDialog
      title={title}
      submit={title}
      endpoint={endpoints.addShift}
      // what is undefined is not sent
      body={(data) => ({ since: since || undefined, note: textIn(data, 'note') || undefined })}
      onApplied={props.onApplied}
      write={write}
      onClose={props.onClose}
    >
      {!isNote && (
        <>
          <input type="hidden" name="since" value={since} />
          <p>{t('shift.acceptHint', { since: formatMoment(since, { withDay: true }) })}</p>
        </>
      )}
      <Field label={t('shift.note')} hint={t('shift.noteHint')}>
        <textarea name="note" maxLength={2000} required={isNote} />
      </Field>
    </WriteDialog>
  );
}

import { Field } from '../design/field.js';
import { t } from '../texts/index.js';

/** Why; stored with the user's name. */
export function ReasonField() {
  return (
    <Field label={t('reason')} hint={t('reason.hint')}>
      <textarea name="reason" required maxLength={500} />
    </Field>
  );
}

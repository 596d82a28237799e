import { statusCodes } from '../../src/domain/reservation/statuses.js';
import { Field } from '../design/field.js';
import { textOf } from '../texts/index.js';

/** The field `status` of a form. @param none the text of its empty value */
export function StatusField({ label, none }: { label: string; none: string }) {
  return (
    <Field label={label}>
      <select name="status">
        <option value="">{none}</option>
        {statusCodes.map((code) => (
          <option key={code} value={code}>
            {code} · {textOf('status', code)}
          </option>
        ))}
      </select>
    </Field>
  );
}

import type { GenericEventHandler } from 'preact';
import { Field } from './field.js';
import { zone } from './time.js';

interface MomentFieldProps {
  label: string;
  name?: string;
  required?: boolean;
  title?: string;
  /** As `toLocal` writes it. */
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: GenericEventHandler<HTMLInputElement>;
}

/** A moment in the service's zone, which it states. */
export function MomentField({ label, ...input }: MomentFieldProps) {
  return (
    <Field label={`${label} (UTC${zone()})`}>
      <input {...input} type="datetime-local" />
    </Field>
  );
}

import { ActionFields } from '../../actions/action-fields.js';
import { rememberStaff } from '../../actions/recent-staff.js';
import type { Action } from '../../api/types.js';
import { Dialog } from '../../design/dialog.js';
import { Plate } from '../../design/mark.js';
import { t, textOf } from '../../texts/index.js';

interface StepDialogProps {
  action: Action;
  plate: string | null;
  /** Of an earlier attempt. */
  given?: Record<string, string>;
  run(fields: Record<string, string>): void;
  onClose(): void;
}

/** The fields of a step: who is assigned, where the car is parked, or a note. */
export function StepDialog({ action, plate, given = {}, run, onClose }: StepDialogProps) {
  return (
    <Dialog
      title={textOf('action', action)}
      submit={{
        label: t('action.send'),
        run: (form) => {
          const entered = [...new FormData(form)].filter(
            (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
          );
          const fields = Object.fromEntries(entered);
          rememberStaff(fields);
          run(fields);
        },
      }}
      onClose={onClose}
    >
      <p>
        <Plate number={plate} />
      </p>
      <ActionFields action={action} given={given} />
    </Dialog>
  );
}

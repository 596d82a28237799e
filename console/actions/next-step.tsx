import { useRef, useState } from 'preact/hooks';
import { staffActions } from '../../src/domain/reservation/actions.js';
import { endpoints } from '../api/endpoints.js';
import type { Action } from '../api/types.js';
import { Button } from '../design/button.js';
import type { IconName } from '../design/icon.js';
import { PhotoInput } from '../photos/photo-input.js';
import { may } from '../state/session.js';
import { useFormWrite, type Write } from '../state/write.js';
import { t, textOf } from '../texts/index.js';
import { ActionDialog } from './action-dialog.js';
import { noteStep, usePendingStep } from './last-step.js';
import { sendAction } from './send-action.js';

export const actionIcons: Record<Action, IconName> = {
  'dispatch.staff': 'staff',
  'dispatch.start': 'out',
  'dispatch.parkingImage': 'parking',
  'dispatch.carImage': 'photo',
  'dispatch.complete': 'flag',
  'recall.staff': 'staff',
  'recall.carImage': 'photo',
  'recall.complete': 'done',
};

interface NextStepProps {
  reservationId: number;
  plate: string | null;
  /** What is recommended now; null: nothing. */
  next: Action | null;
  /** Of what is shown: a step that returns later is another one. */
  sequence: number;
  isLarge?: boolean;
}

/** The recommended step in one click. One without an outcome stays, whatever is recommended meanwhile. */
export function NextStep({ next, ...of }: NextStepProps) {
  const pending = usePendingStep(of.reservationId);
  const action = pending?.action ?? next;
  if (action === null || !may('staff')) return null;
  return <StepButton key={action} {...of} action={action} write={pending?.write} />;
}

interface StepButtonProps extends Omit<NextStepProps, 'next'> {
  action: Action;
  /** Of a step without an outcome. */
  write: Write | undefined;
}

/** It is sent at once, after the photo is chosen, or by a form where staff are named. */
function StepButton(props: StepButtonProps) {
  const { reservationId, plate, action, sequence, isLarge = false } = props;
  const own = useFormWrite(endpoints[action], { id: reservationId });
  const write = props.write ?? own;
  const [isFormOpen, setFormOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { is } = write.outcome.value;
  const { fields, hasPhoto } = staffActions[action];
  const run = () => {
    // the step was applied before, and is the next one again
    if (write.isBefore(sequence)) write.reset();
    if (is === 'lost') void write.repeat();
    else if (fields === 'staff') setFormOpen(true);
    else if (hasPhoto) input.current?.click();
    else send();
  };
  const send = (photo?: File) => {
    noteStep(reservationId, { action, write });
    void sendAction(write, reservationId, action, photo && { photo });
  };
  const name = textOf('action', action);
  return (
    <>
      <Button
        kind={isLarge ? 'primary' : 'step'}
        icon={actionIcons[action]}
        {...(isLarge && { size: 'large' as const, shortcut: 'n' })}
        isBusy={is === 'sending'}
        disabled={write.isBusy && !write.isBefore(sequence)}
        onClick={run}
      >
        <span>{is === 'sending' ? t('outcome:sending') : is === 'lost' ? t('outcome.again') : name}</span>{' '}
        {plate !== null && <span class="on-button numeric">{plate}</span>}
      </Button>
      {hasPhoto && (
        <PhotoInput input={input} label={name} accept="image/jpeg,image/png,image/webp" choose={send} />
      )}
      {isFormOpen && (
        <ActionDialog
          reservationId={reservationId}
          plate={plate}
          action={action}
          write={write}
          onClose={() => setFormOpen(false)}
        />
      )}
    </>
  );
}

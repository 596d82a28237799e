import { useEffect } from 'preact/hooks';
import { endpoints } from '../api/endpoints.js';
import type { Action } from '../api/types.js';
import { Plate } from '../design/mark.js';
import { Notice } from '../design/notice.js';
import { readable } from '../design/time.js';
import { reservationResource } from '../state/reservation.js';
import { useFormWrite, type Write } from '../state/write.js';
import { t, textOf } from '../texts/index.js';
import { ActionFields } from './action-fields.js';
import { noteStep } from './last-step.js';
import { ReasonField } from './reason-field.js';
import { rememberStaff } from './recent-staff.js';
import { toBody } from './send-action.js';
import { useFollowStep } from './use-follow.js';
import { WriteDialog } from './write-dialog.js';

interface ActionDialogProps {
  reservationId: number;
  plate: string | null;
  action: Action;
  /** Why it needs an override; null: it is allowed. */
  refusal?: string | null;
  /** Of the button that opened the form. */
  write?: Write;
  onClose(): void;
}

/** The form of one action: its fields, its photo, and the reason where it needs an override. */
export function ActionDialog(props: ActionDialogProps) {
  const { reservationId, plate, action, refusal = null, onClose } = props;
  const params = { id: reservationId };
  const own = useFormWrite(endpoints[action], params);
  const write = props.write ?? own;
  useFollowStep(write, reservationId);
  const { is } = write.outcome.value;
  // its outcome is shown where the step is
  useEffect(() => {
    if (write.outcome.peek().is === 'applied') onClose();
  }, [is]);
  useEffect(
    () => () => {
      if (!['idle', 'rejected'].includes(write.outcome.peek().is)) noteStep(reservationId, { action, write });
    },
    [write],
  );
  const body = (data: FormData) => {
    const photo = data.get('photo');
    const fields = textsOf(data);
    rememberStaff(fields);
    const isFile = photo instanceof File && photo.size > 0;
    return toBody({ fields, override: refusal !== null, ...(isFile && { photo }) });
  };
  return (
    <WriteDialog
      title={textOf('action', action)}
      submit={t(refusal === null ? 'action.send' : 'action.override')}
      endpoint={endpoints[action]}
      params={params}
      body={body}
      onApplied={(answer) => reservationResource(reservationId).accept(answer)}
      write={write}
      onClose={onClose}
    >
      <p class="row">
        <Plate number={plate} /> <span class="soft">#{reservationId}</span>
      </p>
      {refusal !== null && (
        <Notice tone="warn" icon="attention">
          {readable(refusal)}
        </Notice>
      )}
      <ActionFields action={action} given={textsOf(write.sent ?? new FormData())} />
      {refusal !== null && <ReasonField />}
    </WriteDialog>
  );
}

const textsOf = (data: FormData): Record<string, string> =>
  Object.fromEntries([...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

import type { ComponentChildren } from 'preact';
import type { Endpoint } from '../api/endpoints.js';
import type { Reservation } from '../api/types.js';
import { Dialog } from '../design/dialog.js';
import { OutcomeNotice } from '../design/outcome.js';
import { reservationResource } from '../state/reservation.js';
import { useWrite } from '../state/write.js';
import { t } from '../texts/index.js';
import { ReasonField } from './action-dialog.js';

interface ReasonDialogProps {
  title: string;
  submit: string;
  reservationId: number;
  endpoint: Endpoint<Reservation>;
  params?: Record<string, string>;
  /** The body beside the reason, from the form. */
  body?(data: FormData): Record<string, unknown>;
  children?: ComponentChildren;
  onClose(): void;
}

/** The form of a decision of a manager: it needs a reason. */
export function ReasonDialog({
  title,
  submit,
  reservationId,
  endpoint,
  params = {},
  body,
  children,
  onClose,
}: ReasonDialogProps) {
  const write = useWrite();
  const { is } = write.outcome.value;
  const run = (form: HTMLFormElement) => {
    if (is === 'lost') {
      void write.repeat();
      return;
    }
    const data = new FormData(form);
    const request = {
      params: { id: reservationId, ...params },
      body: { ...body?.(data), reason: String(data.get('reason')) },
    };
    void write.send(endpoint, request, (answer) => reservationResource(reservationId).accept(answer));
  };
  return (
    <Dialog
      title={title}
      submit={{
        label: is === 'lost' ? t('outcome.again') : submit,
        isBusy: is === 'sending',
        isDone: is === 'applied' || is === 'open',
        run,
      }}
      onClose={onClose}
    >
      <fieldset class="stack plain" disabled={is !== 'idle' && is !== 'rejected'}>
        {children}
        <ReasonField />
      </fieldset>
      <OutcomeNotice write={write} />
    </Dialog>
  );
}

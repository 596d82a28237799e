import type { ComponentChildren } from 'preact';
import type { WriteEndpoint } from '../api/endpoints.js';
import type { Reservation } from '../api/types.js';
import { reservationResource } from '../state/reservation.js';
import { ReasonField } from './reason-field.js';
import { textIn } from './text-in.js';
import { WriteDialog } from './write-dialog.js';

interface ReasonDialogProps {
  title: string;
  submit: string;
  reservationId: number;
  endpoint: WriteEndpoint<Reservation>;
  params?: Record<string, string>;
  /** The body beside the reason, from the form. */
  body?(data: FormData): Record<string, unknown>;
  children?: ComponentChildren;
  onClose(): void;
}

/** The form of a decision of a manager on a reservation: it needs a reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { reservationId, params = {}, body, children, ...shown } = props;
  return (
    <WriteDialog
      {...shown}
      params={{ id: reservationId, ...params }}
      body={(data) => ({ ...body?.(data), reason: textIn(data, 'reason') })}
      onApplied={(answer) => reservationResource(reservationId).accept(answer)}
    >
      {children}
      <ReasonField />
    </WriteDialog>
  );
}

import { ReasonDialog } from '../../actions/reason-dialog.js';
import { StatusField } from '../../actions/status-field.js';
import { momentIn } from '../../actions/text-in.js';
import { endpoints } from '../../api/endpoints.js';
import type { Reservation } from '../../api/types.js';
import { Field } from '../../design/field.js';
import { MomentField } from '../../design/moment-field.js';
import { t } from '../../texts/index.js';

/** A manager states what is right: only what is filled in is asserted. */
export function AssertDialog({ reservation, onClose }: { reservation: Reservation; onClose(): void }) {
  const body = (data: FormData) => {
    const values = {
      status: data.get('status') ? Number(data.get('status')) : undefined,
      carId: data.get('carId') ? Number(data.get('carId')) : undefined,
      startAt: momentIn(data, 'startAt'),
      endAt: momentIn(data, 'endAt'),
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  };
  return (
    <ReasonDialog
      title={t('facts.assert')}
      submit={t('facts.assertSubmit')}
      reservationId={reservation.reservationId}
      endpoint={endpoints.assertFacts}
      body={body}
      onClose={onClose}
    >
      <p>{t('facts.assertHint')}</p>
      <StatusField label={t('facts.status')} none={t('facts.unchanged')} />
      <Field label={t('facts.carId')}>
        <input name="carId" inputMode="numeric" pattern="[1-9][0-9]*" />
      </Field>
      <div class="two">
        <MomentField label={t('facts.start')} name="startAt" />
        <MomentField label={t('facts.end')} name="endAt" />
      </div>
    </ReasonDialog>
  );
}

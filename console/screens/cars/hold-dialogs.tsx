import { useState } from 'preact/hooks';
import { useFollowHold } from '../../actions/follow-hold.js';
import { ReasonField } from '../../actions/reason-field.js';
import { momentIn, textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { CarDetail, Hold } from '../../api/types.js';
import { Field } from '../../design/field.js';
import { carName } from '../../design/mark.js';
import { MomentField } from '../../design/moment-field.js';
import { toLocal } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { useFormWrite } from '../../state/write.js';
import { t } from '../../texts/index.js';

function PeriodFields({ start, end }: { start: number; end: number }) {
  return (
    <div class="two">
      <MomentField label={t('hold.start')} name="startAt" required defaultValue={toLocal(start)} />
      <MomentField label={t('hold.end')} name="endAt" required defaultValue={toLocal(end)} />
    </div>
  );
}

/** What is read on the platform: shorter than another reason. */
function HoldReason({ value = '' }: { value?: string }) {
  return (
    <Field label={t('reason')} hint={t('hold.reasonHint')}>
      <textarea name="reason" required maxLength={200} defaultValue={value} />
    </Field>
  );
}

export function CreateDialog({
  car,
  refresh,
  onClose,
}: {
  car: CarDetail;
  refresh(): void;
  onClose(): void;
}) {
  const write = useFormWrite(endpoints.makeHold, { carId: car.carId });
  const [start] = useState(serviceTime);
  useFollowHold(write, { holdId: write.key, onApplied: refresh });
  return (
    <WriteDialog
      title={t('hold:createTitle', { plate: carName(car) })}
      submit={t('hold:create')}
      endpoint={endpoints.makeHold}
      body={(data) => ({
        carId: car.carId,
        startAt: momentIn(data, 'startAt'),
        endAt: momentIn(data, 'endAt'),
        reason: textIn(data, 'reason'),
        ...(data.get('withdraw') && { withdrawFromSale: true }),
      })}
      onApplied={refresh}
      awaited={t('hold.open')}
      write={write}
      onClose={() => {
        refresh();
        onClose();
      }}
    >
      <PeriodFields start={start} end={start + 24 * 3_600_000} />
      <HoldReason />
      <label class="check">
        <input type="checkbox" name="withdraw" /> {t('hold.withdraw')}
      </label>
    </WriteDialog>
  );
}

const changeEndpoints = {
  change: endpoints.changeHold,
  release: endpoints.releaseHold,
  accept: endpoints.resolveHold,
};

export type Change = keyof typeof changeEndpoints;

interface ChangeProps {
  change: Change;
  car: CarDetail;
  hold: Hold;
  changed(): void;
  onClose(): void;
}

export function ChangeDialog({ change, car, hold, changed, onClose }: ChangeProps) {
  const { holdId, period, reason } = hold;
  const params = { id: holdId };
  const write = useFormWrite(changeEndpoints[change], params);
  useFollowHold(write, { holdId, onApplied: changed });
  const shared = {
    title: t(`hold:${change}Title`, { plate: carName(car) }),
    submit: t(`hold:${change}`),
    onApplied: changed,
    awaited: t('hold.open'),
    params,
    endpoint: changeEndpoints[change],
    write,
    onClose,
  };
  if (change === 'release')
    return (
      <WriteDialog
        {...shared}
        body={(data) => {
          const given = textIn(data, 'reason');
          return given === '' ? {} : { reason: given };
        }}
      >
        <p>{t('hold.releaseHint')}</p>
        <Field label={t('hold.reasonOptional')}>
          <textarea name="reason" maxLength={200} />
        </Field>
      </WriteDialog>
    );
  if (change === 'accept')
    return (
      <WriteDialog {...shared} body={(data) => ({ reason: textIn(data, 'reason') })}>
        <p>{t('hold.acceptHint')}</p>
        <ReasonField />
      </WriteDialog>
    );
  return (
    <WriteDialog {...shared} body={(data) => changesOf(data, hold)}>
      <PeriodFields start={Date.parse(period.start)} end={Date.parse(period.end)} />
      <HoldReason value={reason ?? ''} />
    </WriteDialog>
  );
}

/** Only what differs; the input has minutes, the hold may have seconds. */
function changesOf(data: FormData, { period, reason }: Hold) {
  const changes = {
    startAt: data.get('startAt') === toLocal(period.start) ? undefined : momentIn(data, 'startAt'),
    endAt: data.get('endAt') === toLocal(period.end) ? undefined : momentIn(data, 'endAt'),
    reason: textIn(data, 'reason') === reason ? undefined : textIn(data, 'reason'),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.length === 0 ? { reason: reason ?? '' } : Object.fromEntries(given);
}

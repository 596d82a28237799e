import { useState } from 'preact/hooks';
import { useFollowHold } from '../../actions/follow-hold.js';
import { ReasonField } from '../../actions/reason-field.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { CarDetail, Hold } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Field } from '../../design/field.js';
import { Load } from '../../design/load.js';
import { carName, Mark } from '../../design/mark.js';
import { Notice } from '../../design/notice.js';
import { Period, readable, toInstant, toLocal } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { useResource } from '../../state/resource.js';
import { may } from '../../state/session.js';
import { useFormWrite } from '../../state/write.js';
import { t, textOf } from '../../texts/index.js';

/** The holds of a car that are open, and a new one. */
export function Holds({ car, refresh }: { car: CarDetail; refresh(): void }) {
  const [isCreating, setCreating] = useState(false);
  const holds = car.holds ?? [];
  return (
    <>
      {holds.length === 0 && <p class="soft">{t('car.noHolds')}</p>}
      {holds.map(({ holdId }) => (
        <HoldItem key={holdId} car={car} holdId={holdId} refresh={refresh} />
      ))}
      {may('staff') && (
        <p>
          <Button id="new-hold" icon="lock" shortcut="h" onClick={() => setCreating(true)}>
            {t('hold:create')}
          </Button>
        </p>
      )}
      {isCreating && <CreateDialog car={car} refresh={refresh} onClose={() => setCreating(false)} />}
    </>
  );
}

type Change = keyof typeof changeEndpoints;

function HoldItem({ car, holdId, refresh }: { car: CarDetail; holdId: string; refresh(): void }) {
  const hold = useResource(`hold ${holdId}`, {
    load: async () => (await send(endpoints.hold, { params: { id: holdId } })).body,
    concerns: ({ event, id }) => event === 'hold' && id === holdId,
  });
  const [change, setChange] = useState<Change | null>(null);
  const changed = () => {
    void hold.refresh();
    refresh();
  };
  return (
    <div class="hold-item">
      <Load of={hold}>
        {(data) => (
          <>
            <HoldFacts hold={data} />
            {may('staff') && data.open && (
              <p class="row wrap">
                <Button onClick={() => setChange('change')}>{t('hold:change')}</Button>
                <Button onClick={() => setChange('release')}>{t('hold:release')}</Button>
                {data.attention.length > 0 && may('manager') && (
                  <Button onClick={() => setChange('accept')}>{t('hold:accept')}</Button>
                )}
              </p>
            )}
            {change !== null && (
              <ChangeDialog
                change={change}
                car={car}
                hold={data}
                changed={changed}
                onClose={() => setChange(null)}
              />
            )}
          </>
        )}
      </Load>
    </div>
  );
}

function HoldFacts({ hold }: { hold: Hold }) {
  const { state, period, reason, by, reservationId, attention, withdrawFromSale } = hold;
  const isSettled = state === 'active' || state === 'planned';
  return (
    <div>
      <p class="row wrap">
        <Mark icon={isSettled ? 'lock' : 'wait'} tone={isSettled ? 'accent' : 'warn'}>
          {textOf('hold', state)}
        </Mark>
        <Period {...period} />
      </p>
      <p>{reason ?? <span class="soft">{t('hidden.viewer')}</span>}</p>
      <p class="soft small row wrap">
        <span>{t('booking.by', { name: by })}</span>
        {withdrawFromSale && <span>{t('car.offSale')}</span>}
        {reservationId !== null && (
          <a href={`/r/${reservationId}`}>{t('hold.ofReservation', { id: reservationId })}</a>
        )}
      </p>
      {attention.map(({ kind, code, message, left }) => (
        <Notice key={kind} tone="bad" icon="attention">
          {readable(message ?? kind)} <span class="mono small">{code}</span>
          {left.length > 0 && <div class="mono small">{left.join(', ')}</div>}
        </Notice>
      ))}
    </div>
  );
}

function PeriodFields({ start, end }: { start: number; end: number }) {
  return (
    <div class="two">
      <Field label={t('hold.start')}>
        <input name="startAt" type="datetime-local" required defaultValue={toLocal(start)} />
      </Field>
      <Field label={t('hold.end')}>
        <input name="endAt" type="datetime-local" required defaultValue={toLocal(end)} />
      </Field>
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

const momentOf = (data: FormData, name: string) => toInstant(String(data.get(name)));

function CreateDialog({ car, refresh, onClose }: { car: CarDetail; refresh(): void; onClose(): void }) {
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
        startAt: momentOf(data, 'startAt'),
        endAt: momentOf(data, 'endAt'),
        reason: String(data.get('reason')),
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

interface ChangeProps {
  change: Change;
  car: CarDetail;
  hold: Hold;
  changed(): void;
  onClose(): void;
}

function ChangeDialog({ change, car, hold, changed, onClose }: ChangeProps) {
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
          const given = String(data.get('reason') ?? '').trim();
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
      <WriteDialog {...shared} body={(data) => ({ reason: String(data.get('reason')) })}>
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
    startAt: data.get('startAt') === toLocal(period.start) ? undefined : momentOf(data, 'startAt'),
    endAt: data.get('endAt') === toLocal(period.end) ? undefined : momentOf(data, 'endAt'),
    reason: data.get('reason') === reason ? undefined : String(data.get('reason')),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.length === 0 ? { reason: reason ?? '' } : Object.fromEntries(given);
}

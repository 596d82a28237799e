import { useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { CarDetail, Hold } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Load } from '../../design/load.js';
import { Mark } from '../../design/mark.js';
import { Notice } from '../../design/notice.js';
import { Period, readable } from '../../design/time.js';
import { useResource } from '../../state/resource.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { type Change, ChangeDialog, CreateDialog } from './hold-dialogs.js';

/** The holds of a car that are open, and a new one. */
export function Holds({ car, refresh }: { car: CarDetail; refresh(): void }) {
  const [isCreating, setCreating] = useState(false);
  const [inForm, setInForm] = useState<string | null>(null);
  const open = (car.holds ?? []).map(({ holdId }) => holdId);
  // one that is over by its form shows the outcome there first
  const shown = inForm === null || open.includes(inForm) ? open : [...open, inForm];
  return (
    <>
      {shown.length === 0 && <p class="soft">{t('car.noHolds')}</p>}
      {shown.map((holdId) => (
        <HoldItem key={holdId} car={car} holdId={holdId} refresh={refresh} setInForm={setInForm} />
      ))}
      {may('staff') && (
        <p>
          <Button icon="lock" shortcut="h" onClick={() => setCreating(true)}>
            {t('hold:create')}
          </Button>
        </p>
      )}
      {isCreating && <CreateDialog car={car} refresh={refresh} onClose={() => setCreating(false)} />}
    </>
  );
}

interface HoldItemProps {
  car: CarDetail;
  holdId: string;
  refresh(): void;
  setInForm(holdId: string | null): void;
}

function HoldItem({ car, holdId, refresh, setInForm }: HoldItemProps) {
  const hold = useResource(`hold ${holdId}`, {
    load: async () => (await send(endpoints.hold, { params: { id: holdId } })).body,
    concerns: ({ event, id }) => event === 'hold' && id === holdId,
  });
  const [change, setOpenForm] = useState<Change | null>(null);
  const setChange = (form: Change | null) => {
    setOpenForm(form);
    setInForm(form === null ? null : holdId);
  };
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
                <Button shortcut="c" onClick={() => setChange('change')}>
                  {t('hold:change')}
                </Button>
                <Button shortcut="r" onClick={() => setChange('release')}>
                  {t('hold:release')}
                </Button>
                {data.attention.length > 0 && may('manager') && (
                  <Button shortcut="a" onClick={() => setChange('accept')}>
                    {t('hold:accept')}
                  </Button>
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

import { useState } from 'preact/hooks';
import { ReasonField } from '../../actions/reason-field.js';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Booking, Bookings } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Field } from '../../design/field.js';
import { Icon } from '../../design/icon.js';
import { Load, NotRead } from '../../design/load.js';
import { Mark, Plate } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment, Period } from '../../design/time.js';
import { useResource } from '../../state/resource.js';
import { may } from '../../state/session.js';
import { useFormWrite } from '../../state/write.js';
import { t, textOf } from '../../texts/index.js';
import { useUnknownBookings } from './open-items.js';

type Item = Bookings['items'][number];

/** Bookings whose answer was lost: what they may have become, and a manager's decision. */
export function BookingsView() {
  const bookings = useUnknownBookings();
  // beside the list, because its outcome is shown when the booking has left it
  const [resolving, setResolving] = useState<Item | null>(null);
  return (
    <Panel title={t('in.view:bookings')} icon="unknown" isFlush>
      <Load of={bookings}>
        {({ items }) => (
          <RowsInPlace
            items={items}
            idOf={({ commandId }) => commandId}
            empty={t('booking.empty')}
            row={(item) => <BookingRow item={item} />}
            button={(item) =>
              may('manager') && (
                <Button shortcut="r" onClick={() => setResolving(item)}>
                  {t('booking.resolve')}
                </Button>
              )
            }
          />
        )}
      </Load>
      {resolving !== null && (
        <ResolveDialog
          item={resolving}
          onApplied={() => void bookings.refresh()}
          onClose={() => setResolving(null)}
        />
      )}
    </Panel>
  );
}

function useBooking(commandId: string) {
  return useResource(`booking ${commandId}`, {
    load: async () => (await send(endpoints.booking, { params: { commandId } })).body,
    concerns: ({ event, id }) => event === 'booking' && id === commandId,
  });
}

function BookingRow({ item }: { item: Item }) {
  const { commandId, state, by, productId, createdAt, code } = item;
  const booking = useBooking(commandId);
  return (
    <>
      <Icon name="unknown" />
      <div class="grow stack">
        <p class="row wrap">
          <strong>{t('booking.product', { id: productId })}</strong>
          <Period {...item.period} />
          <Mark icon="unknown" tone="warn">
            {textOf('booking', state)}
          </Mark>
          {code !== null && <span class="mono small">{code}</span>}
        </p>
        <p class="soft small row wrap">
          <span>{t('booking.by', { name: by })}</span>
          <Moment at={createdAt} />
          <span class="mono">{commandId}</span>
        </p>
        <Load of={booking}>{(detail) => <Candidates booking={detail} />}</Load>
      </div>
    </>
  );
}

function Candidates({ booking: { candidates, alike } }: { booking: Booking }) {
  return (
    <div>
      <h3>{t('booking.candidates')}</h3>
      {candidates.length === 0 && <p class="soft">{t('booking.noCandidates')}</p>}
      <ul>
        {candidates.map((candidate) => (
          <li key={candidate.reservationId} class="row wrap">
            <a href={`/r/${candidate.reservationId}`}>#{candidate.reservationId}</a>
            <Plate number={candidate.carNumber} />
            <Period {...candidate.period} />
            {!candidate.productFits && <span class="soft small">{t('booking.noProduct')}</span>}
          </li>
        ))}
      </ul>
      {alike > 0 && <p class="small">{t('booking.alike', { n: alike })}</p>}
    </div>
  );
}

interface ResolveProps {
  item: Item;
  onApplied(): void;
  onClose(): void;
}

/** What became of a booking (F35): one of the candidates, another reservation, or nothing. */
function ResolveDialog({ item, onApplied, onClose }: ResolveProps) {
  const params = { commandId: item.commandId };
  const write = useFormWrite(endpoints.resolveBooking, params);
  const [chosen, setChosen] = useState(() => String(write.sent?.get('choice') ?? ''));
  const { value: known } = useBooking(item.commandId).state;
  const candidates = known.is === 'ready' ? known.data.candidates : [];
  const choices = [
    ...candidates.map(({ reservationId }) => [
      String(reservationId),
      t('booking.became', { id: reservationId }),
    ]),
    ['other', t('booking.becameOther')],
    ['rejected', t('booking.notMade')],
  ] as [string, string][];
  const body = (data: FormData) => {
    const reason = textIn(data, 'reason');
    if (chosen === 'rejected') return { outcome: 'rejected', reason };
    return { outcome: 'applied', reservationId: Number(data.get('reservationId') ?? chosen), reason };
  };
  return (
    <WriteDialog
      title={t('booking.resolveTitle')}
      submit={t('booking.resolve')}
      endpoint={endpoints.resolveBooking}
      params={params}
      body={body}
      onApplied={onApplied}
      write={write}
      onClose={onClose}
    >
      <p>{t('commands.resolveHint')}</p>
      <p class="numeric">
        {t('booking.product', { id: item.productId })}, <Period {...item.period} />
      </p>
      {known.is === 'error' && <NotRead what={t('booking.candidates')} />}
      {choices.map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name="choice"
            value={value}
            required
            checked={value === chosen}
            onChange={() => setChosen(value)}
          />{' '}
          {text}
        </label>
      ))}
      {chosen === 'other' && (
        <Field label={t('finding.reservation')}>
          <input name="reservationId" required inputMode="numeric" pattern="[1-9][0-9]{0,15}" />
        </Field>
      )}
      <ReasonField />
    </WriteDialog>
  );
}

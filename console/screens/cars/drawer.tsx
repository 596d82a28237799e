import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { CarDetail } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Field } from '../../design/field.js';
import { Load, NotRead } from '../../design/load.js';
import { carName, Plate, StatusMark } from '../../design/mark.js';
import { Moment, Period, readable } from '../../design/time.js';
import { setQuery } from '../../state/router.js';
import { may } from '../../state/session.js';
import { useFormWrite } from '../../state/write.js';
import { t, textOf } from '../../texts/index.js';
import { useCarWrite } from './car-write.js';
import { Closed } from './closed.js';
import { Holds } from './holds.js';
import { OldData } from './old-data.js';
import { useCar } from './reads.js';
import { Sale } from './sale.js';

/** One car: what has it now, its holds, today's schedule, its memos and its sale, with what can be done. */
export function CarDrawer({ id }: { id: number }) {
  const resource = useCar(id);
  const refresh = () => void resource.refresh();
  return (
    <aside class="panel drawer" aria-label={t('car.id', { id })}>
      <Load of={resource}>{(car) => <Parts car={car} refresh={refresh} />}</Load>
    </aside>
  );
}

function Parts({ car, refresh }: { car: CarDetail; refresh(): void }) {
  const { carId, carNumber, detailModelName, modelYear, fuelTypeName, seatCount, colour } = car;
  const facts = [
    detailModelName,
    modelYear !== null && t('car.year', { n: modelYear }),
    fuelTypeName,
    seatCount !== null && t('car.seats', { n: seatCount }),
    colour,
  ];
  return (
    <>
      <header>
        <h2>
          <Plate number={carNumber} carId={carId} />
        </h2>
        <span class="soft numeric small">{t('car.id', { id: carId })}</span>
        <span class="grow" />
        <Button kind="quiet" icon="close" label={t('close')} onClick={closeDrawer}>
          {''}
        </Button>
      </header>
      <OldData of={car} />
      <p class="part soft">{facts.filter(Boolean).join(' · ')}</p>
      <Part title={t('car.now')} car={car} part="currentReservation">
        <Current car={car} />
      </Part>
      <Part title={t('car.holds')} car={car} part="holds">
        <Holds car={car} refresh={refresh} />
      </Part>
      <Part title={t('car.schedule')} car={car} part="schedule">
        <Today car={car} />
      </Part>
      <div class="part stack">
        <h3>{t('car.closed')}</h3>
        <Closed carId={carId} />
      </div>
      <Part title={t('car.memos')} car={car} part="memos">
        <Memos car={car} refresh={refresh} />
      </Part>
      <div class="part stack">
        <h3>{t('car.sale')}</h3>
        <Sale car={car} />
      </div>
    </>
  );
}

/** The row of the car gets the focus back. */
export function closeDrawer(): void {
  const row = document.querySelector<HTMLElement>('.car-row > a[aria-current]');
  setQuery({ car: null });
  // once the list is shown again on a narrow screen
  setTimeout(() => row?.focus());
}

type PartName = CarDetail['missing'][number]['part'];

function Part(props: { title: string; car: CarDetail; part: PartName; children: ComponentChildren }) {
  const { title, car, part, children } = props;
  const missing = car.missing.find((one) => one.part === part);
  return (
    <div class="part stack">
      <h3>{title}</h3>
      {missing === undefined ? children : <NotRead code={missing.code} />}
    </div>
  );
}

function Current({ car: { currentReservation: current } }: { car: CarDetail }) {
  if (current === null) return <p class="soft">{t('car.free')}</p>;
  const { reservationId, status, period } = current;
  return (
    <p class="row wrap">
      <a href={`/r/${reservationId}`}>#{reservationId}</a>
      <StatusMark code={status.code} />
      {period !== null && <Period {...period} />}
    </p>
  );
}

function Today({ car: { schedule } }: { car: CarDetail }) {
  if (schedule === null || schedule.length === 0) return <p class="soft">{t('none')}</p>;
  return (
    <ul class="stack tight">
      {schedule.map(({ scheduleId, scheduleType, startAt, endAt, reason }) => (
        <li key={scheduleId} class="row wrap">
          <span>{textOf('entry', scheduleType ?? '')}</span>
          <Period start={startAt} end={endAt} />
          <span class="soft small numeric">
            {scheduleId !== null && t('bar.findingShort', { id: scheduleId })}
          </span>
          {/* of a reservation it only repeats the type */}
          {reason !== null && scheduleType !== 'R' && <span class="soft">{reason}</span>}
        </li>
      ))}
    </ul>
  );
}

function Memos({ car, refresh }: { car: CarDetail; refresh(): void }) {
  const [isOpen, setOpen] = useState(false);
  const memos = car.memos ?? [];
  return (
    <>
      {memos.length === 0 && <p class="soft">{t('car.noMemos')}</p>}
      <ul class="stack tight memos">
        {memos.map(({ memoId, content, writerName, createdAt }) => (
          <li key={memoId}>
            <p>{content === null ? <span class="soft">{t('hidden.viewer')}</span> : readable(content)}</p>
            <p class="soft small">
              {createdAt && <Moment at={createdAt} />} {writerName}
            </p>
          </li>
        ))}
      </ul>
      {may('staff') && (
        <p>
          <Button icon="asserted" shortcut="m" onClick={() => setOpen(true)}>
            {t('memo.create')}
          </Button>
        </p>
      )}
      {isOpen && <MemoDialog car={car} refresh={refresh} onClose={() => setOpen(false)} />}
    </>
  );
}

function MemoDialog({ car, refresh, onClose }: { car: CarDetail; refresh(): void; onClose(): void }) {
  const params = { id: car.carId };
  const write = useFormWrite(endpoints.writeMemo, params);
  const awaited = useCarWrite(write, refresh);
  return (
    <WriteDialog
      title={t('memo.title', { plate: carName(car) })}
      submit={t('memo.create')}
      endpoint={endpoints.writeMemo}
      params={params}
      body={(data) => ({ content: textIn(data, 'content') })}
      onApplied={refresh}
      awaited={awaited}
      write={write}
      onClose={onClose}
    >
      <Field label={t('memo.content')} hint={t('reason.hint')}>
        <textarea name="content" required maxLength={1000} />
      </Field>
    </WriteDialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Panel } from '../../design/panel.js';
import { Moment } from '../../design/time.js';
import { may } from '../../state/session.js';
import { type Text, t } from '../../texts/index.js';
import { AssertDialog } from './assert-dialog.js';
import { type Evidence, EvidenceMark } from './evidence.js';
import { personal } from './personal.js';
import { RecallNote } from './recall-note.js';

interface Fact {
  text: Text;
  value: ComponentChildren;
  evidence: Evidence | undefined;
}

/** Every fact with why it is believed. */
export function Facts({ reservation }: { reservation: Reservation }) {
  const [isAsserting, setAsserting] = useState(false);
  const tools = may('manager') && !reservation.closed && (
    <Button kind="quiet" icon="asserted" shortcut="f" onClick={() => setAsserting(true)}>
      {t('facts.assert')}
    </Button>
  );
  return (
    <Panel title={t('facts.title')} icon="observed" tools={tools} isFlush>
      <dl class="facts">
        {factsOf(reservation).map(({ text, value, evidence }) => (
          <div key={text}>
            <dt>{t(text)}</dt>
            <dd>{value}</dd>
            <dd class="small soft">{evidence !== undefined && <EvidenceMark of={evidence} />}</dd>
          </div>
        ))}
      </dl>
      {isAsserting && <AssertDialog reservation={reservation} onClose={() => setAsserting(false)} />}
    </Panel>
  );
}

function factsOf(reservation: Reservation): Fact[] {
  const { period, car, company, service, driver, companion, pickup, parking, driving, createdAt, productId } =
    reservation;
  const { note } = reservation.recall;
  const of = (path: keyof Reservation['evidence']) => reservation.evidence[path] as Evidence | undefined;
  const facts: (Fact | false)[] = [
    period !== null && { text: 'facts.start', value: <Moment at={period.start} />, evidence: period },
    period !== null && { text: 'facts.end', value: <Moment at={period.end} />, evidence: period },
    car !== null && {
      text: 'facts.car',
      value: <a href={`/cars?car=${car.id}`}>{`${car.number ?? '–'} (${car.id})`}</a>,
      evidence: car,
    },
    productId !== null && { text: 'facts.product', value: productId, evidence: of('productId') },
    company !== null && {
      text: 'facts.company',
      value: `${company.name ?? '–'} (${company.id})`,
      evidence: of('company'),
    },
    service !== null && {
      text: 'facts.service',
      value: `${service.name ?? '–'} (${service.id})`,
      evidence: of('service'),
    },
    { text: 'facts.driver', value: personal(driver?.name), evidence: of('driver') },
    driver?.phone != null && {
      text: 'facts.driverPhone',
      value: <PhoneLink number={driver.phone} />,
      evidence: of('driver'),
    },
    driver?.licenseNumber != null && {
      text: 'facts.license',
      value: driver.licenseNumber,
      evidence: of('driver'),
    },
    companion != null && {
      text: 'facts.companion',
      value: [companion.name, companion.phone].filter(Boolean).join(' · '),
      evidence: of('companion'),
    },
    { text: 'facts.pickup', value: personal(pickup.address), evidence: of('pickup.address') },
    pickup.memo !== null && { text: 'facts.pickupMemo', value: pickup.memo, evidence: of('pickup.memo') },
    parking.memo !== null && { text: 'field:parkingMemo', value: parking.memo, evidence: of('parking.memo') },
    parking.lotType !== null && {
      text: 'field:parkingLotType',
      value: t(parking.lotType === 1 ? 'field.parkingLotType:1' : 'field.parkingLotType:0'),
      evidence: of('parking.lotType'),
    },
    driving.start !== null && {
      text: 'facts.drivingStart',
      value: <Moment at={driving.start} />,
      evidence: of('driving.start'),
    },
    driving.end !== null && {
      text: 'facts.drivingEnd',
      value: <Moment at={driving.end} />,
      evidence: of('driving.end'),
    },
    note !== null && {
      text: 'field:note',
      value: <RecallNote note={note} />,
      evidence: undefined,
    },
    createdAt !== null && {
      text: 'facts.created',
      value: <Moment at={createdAt} />,
      evidence: of('createdAt'),
    },
  ];
  return facts.filter((fact) => fact !== false);
}

function PhoneLink({ number }: { number: string }) {
  return <a href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</a>;
}

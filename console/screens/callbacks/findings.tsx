import { useState } from 'preact/hooks';
import { ReasonField } from '../../actions/reason-field.js';
import { StatusField } from '../../actions/status-field.js';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { Finding } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Field } from '../../design/field.js';
import { Icon } from '../../design/icon.js';
import { Load } from '../../design/load.js';
import { Mark } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment, Period } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { useFindings } from './open-items.js';

/** What the platform's schedule and the reservations do not agree on. */
export function FindingsView() {
  const findings = useFindings();
  const [adopted, setAdopted] = useState<Finding | null>(null);
  return (
    <Panel title={t('in.view:findings')} icon="search" isFlush>
      <Load of={findings}>
        {({ items }) => (
          <RowsInPlace
            items={items}
            idOf={({ id }) => id}
            empty={t('finding.empty')}
            row={(one) => <FindingRow finding={one} />}
            button={(one) =>
              one.kind === 'undiscovered' &&
              may('manager') && (
                <Button shortcut="r" onClick={() => setAdopted(one)}>
                  {t('finding.adopt')}
                </Button>
              )
            }
          />
        )}
      </Load>
      {adopted !== null && (
        <AdoptDialog
          finding={adopted}
          onApplied={() => void findings.refresh()}
          onClose={() => setAdopted(null)}
        />
      )}
    </Panel>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const { kind, state, scheduleId, carId, period, reservationId, firstSeenAt, reads } = finding;
  return (
    <>
      <Icon name="attention" />
      <div class="grow">
        <p class="row wrap">
          <strong>{textOf('finding', kind)}</strong>
          <Mark icon={state === 'open' ? 'alert' : 'observed'} tone={state === 'open' ? 'warn' : 'quiet'}>
            {textOf('finding', state)}
          </Mark>
          {reservationId !== null && <a href={`/r/${reservationId}`}>#{reservationId}</a>}
        </p>
        <p class="numeric">
          <a href={`/cars?car=${carId}`}>{t('car.id', { id: carId })}</a>, <Period {...period} />
        </p>
        <p class="soft small row wrap">
          <span>{scheduleId === null ? t('finding.noEntry') : t('finding.entry', { id: scheduleId })}</span>
          <Moment at={firstSeenAt} />
          <span>{t('finding.reads', { n: reads })}</span>
        </p>
      </div>
    </>
  );
}

function AdoptDialog(props: { finding: Finding; onApplied(): void; onClose(): void }) {
  const { finding, onApplied, onClose } = props;
  const { id, scheduleId, carId, period } = finding;
  return (
    <WriteDialog
      title={t('finding.adoptTitle', { id: scheduleId ?? id })}
      submit={t('finding.adopt')}
      endpoint={endpoints.adoptFinding}
      params={{ id }}
      body={(data) => ({
        reservationId: Number(data.get('reservationId')),
        ...(data.get('status') && { status: Number(data.get('status')) }),
        reason: textIn(data, 'reason'),
      })}
      onApplied={onApplied}
      onClose={onClose}
    >
      <p>{t('finding.adoptHint')}</p>
      <p class="numeric">
        {t('car.id', { id: carId })}, <Period {...period} />
      </p>
      <Field label={t('finding.reservation')}>
        <input
          name="reservationId"
          required
          inputMode="numeric"
          pattern="[1-9][0-9]{0,15}"
          autocomplete="off"
        />
      </Field>
      <StatusField label={t('finding.status')} none={t('status:unknown')} />
      <ReasonField />
    </WriteDialog>
  );
}

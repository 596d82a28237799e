import { useState } from 'preact/hooks';
import { useFollowHold } from '../../actions/follow-hold.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { CarLink } from '../../design/mark.js';
import { Notice } from '../../design/notice.js';
import { Panel } from '../../design/panel.js';
import { formatDuration, Moment, Period } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { reservationResource } from '../../state/reservation.js';
import { may } from '../../state/session.js';
import { useFormWrite } from '../../state/write.js';
import { t } from '../../texts/index.js';

type Proposal = Reservation['proposals'][number];

/** What this reservation means for its car: the next reservation at risk, and holds that are proposed. */
export function Impact({ reservation: { reservationId, danger, proposals } }: { reservation: Reservation }) {
  const [accepted, setAccepted] = useState<Proposal | null>(null);
  // the form shows its outcome before it goes
  if (danger === null && proposals.length === 0 && accepted === null) return null;
  return (
    <Panel title={t('impact.title')} icon="car">
      <div class="stack">
        {danger !== null && <NextAtRisk danger={danger} />}
        {proposals.map((proposal) => (
          <div key={proposal.proposalId} class="row wrap">
            <span class="grow">
              <strong>{t(`impact:${proposal.reason}`)}</strong>{' '}
              <span class="soft numeric">
                {t('car.id', { id: proposal.carId })},{' '}
                <Period start={proposal.startAt} end={proposal.endAt} />
              </span>
            </span>
            {may('staff') && (
              <Button shortcut="h" onClick={() => setAccepted(proposal)}>
                {t('impact.accept')}
              </Button>
            )}
          </div>
        ))}
      </div>
      {accepted !== null && (
        <AcceptDialog reservationId={reservationId} proposal={accepted} onClose={() => setAccepted(null)} />
      )}
    </Panel>
  );
}

function NextAtRisk({ danger }: { danger: NonNullable<Reservation['danger']> }) {
  const { entry, candidates } = danger;
  const left = Date.parse(entry.startAt) - now.value;
  return (
    <Notice tone="bad" icon="attention">
      <p>
        <strong>{t('attention:next-in-danger')}</strong>{' '}
        {entry.reservationId === null ? (
          t('impact.entry', { type: entry.type, id: entry.scheduleId })
        ) : (
          <a href={`/r/${entry.reservationId}`}>#{entry.reservationId}</a>
        )}
        , <Moment at={entry.startAt} relative={false} /> – <Moment at={entry.endAt} relative={false} />:{' '}
        <strong>
          {left > 0
            ? t('impact.left', { duration: formatDuration(left) })
            : t('now.late', { duration: formatDuration(left) })}
        </strong>
      </p>
      <p class="row wrap">
        {candidates === null && t('impact.candidatesUnknown')}
        {candidates?.length === 0 && t('impact.noCandidates')}
        {candidates !== null && candidates.length > 0 && (
          <>
            <span>{t('impact.candidates')}</span>
            {candidates.map(({ id, number }) => (
              <CarLink key={id} number={number} carId={id} />
            ))}
          </>
        )}
      </p>
    </Notice>
  );
}

/** A hold of the car by the proposal (F55). */
function AcceptDialog({
  reservationId,
  proposal: { proposalId, carId },
  onClose,
}: {
  reservationId: number;
  proposal: Proposal;
  onClose(): void;
}) {
  const write = useFormWrite(endpoints.makeHold, { proposalId });
  const onApplied = () => void reservationResource(reservationId).refresh();
  // the proposal's id is that of the hold and of its command
  useFollowHold(write, { holdId: proposalId, commandId: proposalId, onApplied });
  return (
    <WriteDialog
      title={t('impact.acceptTitle', { id: carId })}
      submit={t('impact.accept')}
      endpoint={endpoints.makeHold}
      body={() => ({ proposalId })}
      onApplied={onApplied}
      awaited={t('write.open')}
      write={write}
      onClose={onClose}
    >
      <p>{t('impact.acceptHint')}</p>
    </WriteDialog>
  );
}

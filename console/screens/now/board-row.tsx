import { AppliedMark } from '../../actions/applied-mark.js';
import { NextStep } from '../../actions/next-step.js';
import { Owner } from '../../actions/owner.js';
import { StepOutcome } from '../../actions/step-outcome.js';
import type { BoardRow } from '../../api/types.js';
import { DueTime } from '../../design/due-time.js';
import { carName, Mark, Plate, StatusMark } from '../../design/mark.js';
import { formatMoment, formatRelative } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import type { PlacedRow } from './arrangement.js';
import { useFinalStatus } from './final-status.js';
import { selection, staffActionAt, toggle } from './selection.js';

/** One reservation of a lane. */
export function BoardRowItem(placed: PlacedRow) {
  const { row, is, lane } = placed;
  const { reservationId, carNumber, carId, next, sequence } = row;
  const final = useFinalStatus(placed);
  const code = final ?? row.status.code;
  return (
    <li class={`board-row ${is}`}>
      <div class="what">
        <SelectRow row={row} status={code} />
        <a
          class="plate-link"
          href={`/r/${reservationId}`}
          aria-label={t('now.open', { plate: carName(row), id: reservationId })}
        >
          <Plate number={carNumber} carId={carId} />
        </a>
        <StatusMark code={code} grade={row.grade} />
        <span class="soft small numeric id">#{reservationId}</span>
        <span class="grow" />
        <DueTime at={row.relevantAt} status={code} />
      </div>
      <div class="more-of">
        <div class="marks">
          <Marks row={row} />
          <AppliedMark id={reservationId} isShort />
        </div>
        {is === 'left' && (
          <Mark icon={final === null ? 'next' : 'done'} tone="plain">
            {lane === null ? t('now.gone') : t('now.movedTo', { lane: t(`lane:${lane}`) })}
          </Mark>
        )}
        <NextStep
          reservationId={reservationId}
          plate={carNumber}
          next={is === 'left' ? null : (next?.action ?? null)}
          sequence={sequence}
        />
      </div>
      <StepOutcome id={reservationId} />
    </li>
  );
}

function SelectRow({ row, status }: { row: BoardRow; status: number | null }) {
  const { reservationId } = row;
  if (!may('staff') || staffActionAt(status) === null) return null;
  return (
    <label class="select-row">
      <input
        type="checkbox"
        checked={selection.value.has(reservationId)}
        aria-label={t('bulk.select', { plate: carName(row), id: reservationId })}
        onChange={() => toggle(row)}
      />
    </label>
  );
}

function Marks({ row }: { row: BoardRow }) {
  const { attention, atRisk, unknownCommands, waitingCommands, staff, reservationId } = row;
  const kinds = new Set(attention.map(({ kind }) => kind));
  return (
    <>
      {attention.map(({ kind, since, owner }) => (
        <span key={kind} class="row claimable">
          <Mark icon="attention" tone="bad" title={formatMoment(since)}>
            {textOf('attention', kind)} · {formatRelative(since)}
          </Mark>
          <Owner reservationId={reservationId} kind={kind} owner={owner} />
        </span>
      ))}
      {atRisk && !kinds.has('next-in-danger') && (
        <Mark icon="attention" tone="warn">
          {t('attention:next-in-danger')}
        </Mark>
      )}
      {unknownCommands > 0 && !kinds.has('command-unknown') && (
        <Mark icon="unknown" tone="warn">
          {t('now.unknownCommands', { n: unknownCommands })}
        </Mark>
      )}
      {waitingCommands > 0 && (
        <Mark icon="wait" tone="warn">
          {t('now.waitingCommands', { n: waitingCommands })}
        </Mark>
      )}
      {staff !== null && (
        <Mark icon="staff" tone="plain">
          {staff}
        </Mark>
      )}
    </>
  );
}

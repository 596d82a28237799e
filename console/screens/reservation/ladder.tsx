import { useState } from 'preact/hooks';
import { staffActions } from '../../../src/domain/reservation/actions.js';
import { ActionDialog } from '../../actions/action-dialog.js';
import { actionIcons } from '../../actions/next-step.js';
import type { Action, ActionOption, Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon, type IconName } from '../../design/icon.js';
import { Panel } from '../../design/panel.js';
import { Moment, readable } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { type Evidence, EvidenceMark } from './evidence.js';

type Phase = 'dispatch' | 'recall';
/** A step that was done: when, why it is believed, and a detail. */
interface Done {
  at: string | null;
  evidence: Evidence | null;
  detail: string | null;
  isOutdated: boolean;
}

/** The recommended steps of one phase: what is done and why that is believed, what is next, what is refused and why. */
export function Ladder({ phase, reservation }: { phase: Phase; reservation: Reservation }) {
  const [open, setOpen] = useState<ActionOption | null>(null);
  const options = reservation.actions.filter(({ action }) => staffActions[action].phase === phase);
  return (
    <Panel title={t(`ladder:${phase}`)} icon={phase === 'dispatch' ? 'out' : 'back'} isFlush>
      <ol class="ladder">
        {options.map((option) => (
          <Step
            key={option.action}
            option={option}
            done={doneOf(option.action, reservation)}
            isLater={
              option.state === 'needs-override' && reservation.actions.some(({ state }) => state === 'next')
            }
            open={() => setOpen(option)}
          />
        ))}
      </ol>
      {open !== null && (
        <ActionDialog
          reservationId={reservation.reservationId}
          plate={reservation.car?.number ?? null}
          action={open.action}
          refusal={open.state === 'needs-override' ? (open.message ?? '') : null}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  );
}

interface StepProps {
  option: ActionOption;
  done: Done | null;
  /** Another step comes before it. */
  isLater: boolean;
  open(): void;
}

function Step({ option, done, isLater, open }: StepProps) {
  const { action, state } = option;
  // why a step that is done cannot be repeated is of no use
  const message = done === null ? option.message : null;
  const name = textOf('action', action);
  const standing = done !== null ? 'done' : state;
  const canSend = may('staff') && (done === null ? state !== 'refused' : option.message === null);
  const button = canSend && (
    <Button
      kind={state === 'next' ? 'step' : 'quiet'}
      label={`${t(sendText(option, done))}: ${name}`}
      onClick={open}
    >
      {t(sendText(option, done))}
    </Button>
  );
  return (
    <li class={`rung ${standing}`}>
      <span class="dot">
        <Icon name={icons[standing]} />
      </span>
      <div class="grow">
        <div class="row">
          <Icon name={actionIcons[action]} />
          <strong>{name}</strong>
          {message === null && <span class="soft small">{t(`step:${standing}`)}</span>}
          {done?.isOutdated && <span class="small warn-text">{t('photo.outdated')}</span>}
        </div>
        {done !== null && (
          <div class="soft small row wrap">
            {done.detail !== null && <span class="detail">{done.detail}</span>}
            {done.evidence !== null ? <EvidenceMark of={done.evidence} /> : <Moment at={done.at} />}
          </div>
        )}
        {message !== null && (
          <details class="why">
            <summary>{isLater ? t('step:later') : t(`step:${standing}`)}</summary>
            <div>
              <p class="small">{readable(message)}</p>
              {button}
            </div>
          </details>
        )}
      </div>
      {message === null && button}
    </li>
  );
}

const icons: Record<ActionOption['state'] | 'done', IconName> = {
  done: 'done',
  next: 'next',
  allowed: 'next',
  'needs-override': 'attention',
  refused: 'lock',
};

function sendText({ state }: ActionOption, done: Done | null) {
  if (state === 'needs-override') return 'step.override';
  return done === null ? 'step.do' : 'step.again';
}

/** What the view shows of a step; null: it is not done. Staff names are hidden from viewers, what was applied is not. */
function doneOf(action: Action, { dispatch, recall, evidence, commands }: Reservation): Done | null {
  const applied = commands.findLast((one) => one.action === action && one.outcome === 'applied');
  if (!may('staff') && applied !== undefined && staffActions[action].fields === 'staff')
    return { at: applied.settledAt, evidence: null, detail: t('hidden.viewer'), isOutdated: false };
  const person = (staff: Reservation['dispatch']['staff']) =>
    staff && {
      at: staff.at,
      evidence: staff,
      detail: `${staff.staffName} · ${staff.staffPhone}`,
      isOutdated: false,
    };
  const photo = (one: Reservation['dispatch']['carImage']) =>
    one && { at: one.at, evidence: one, detail: null, isOutdated: one.outdated };
  const reached = (at: string | null, why: Evidence | undefined) =>
    at === null ? null : { at, evidence: why ?? null, detail: null, isOutdated: false };
  switch (action) {
    case 'dispatch.staff':
      return person(dispatch.staff);
    case 'dispatch.start':
      return reached(dispatch.startedAt, evidence['dispatch.startedAt']);
    case 'dispatch.parkingImage':
      return photo(dispatch.parkingImage);
    case 'dispatch.carImage':
      return photo(dispatch.carImage);
    case 'dispatch.complete':
      return reached(dispatch.completedAt, evidence['dispatch.completedAt']);
    case 'recall.staff':
      return person(recall.staff);
    case 'recall.carImage':
      return photo(recall.carImage);
    case 'recall.complete':
      return reached(recall.completedAt, evidence['recall.completedAt']);
  }
}

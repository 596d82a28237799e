import { useState } from 'preact/hooks';
import { staffActions } from '../../../src/domain/reservation/actions.js';
import { ActionDialog } from '../../actions/action-dialog.js';
import { actionIcons } from '../../actions/next-step.js';
import type { ActionOption, Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon, type IconName } from '../../design/icon.js';
import { Panel } from '../../design/panel.js';
import { Moment, readable } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { EvidenceMark } from './evidence.js';

type Phase = 'dispatch' | 'recall';
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
            person={personOf(option, reservation)}
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
  /** Who was assigned by it. */
  person: string | null;
  /** Another step comes before it. */
  isLater: boolean;
  open(): void;
}

function Step({ option, person, isLater, open }: StepProps) {
  const { action, state, done } = option;
  // why a step that is done cannot be repeated is of no use
  const message = done === null ? option.message : null;
  const name = textOf('action', action);
  const standing = done !== null ? 'done' : state;
  const canSend = may('staff') && (done === null ? state !== 'refused' : option.message === null);
  const button = canSend && (
    <Button
      kind={state === 'next' ? 'step' : 'quiet'}
      label={`${t(sendText(option))}: ${name}`}
      onClick={open}
    >
      {t(sendText(option))}
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
          {done?.outdated && <span class="small warn-text">{t('photo.outdated')}</span>}
        </div>
        {done !== null && (
          <div class="soft small row wrap">
            {person !== null && <span class="detail">{person}</span>}
            {done.grade !== null ? <EvidenceMark of={done} /> : <Moment at={done.at} />}
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

function sendText({ state, done }: ActionOption) {
  if (state === 'needs-override') return 'step.override';
  return done === null ? 'step.do' : 'step.again';
}

/** Names are hidden from viewers, what was done is not. */
function personOf({ action, done }: ActionOption, reservation: Reservation): string | null {
  const { phase, fields } = staffActions[action];
  if (done === null || fields !== 'staff') return null;
  const { staff } = reservation[phase];
  return staff === null ? t('hidden.viewer') : `${staff.staffName} · ${staff.staffPhone}`;
}

import { useRef, useState } from 'preact/hooks';
import { staffActions } from '../../../src/domain/reservation/actions.js';
import { actionIcons } from '../../actions/next-step.js';
import { Button } from '../../design/button.js';
import { Icon, type IconName } from '../../design/icon.js';
import { Notice } from '../../design/notice.js';
import { readable } from '../../design/time.js';
import { enqueue } from '../../offline/queue.js';
import { PhotoInput } from '../../photos/photo-input.js';
import { resizePhoto } from '../../photos/resize.js';
import { may } from '../../state/session.js';
import { type Text, t, textOf } from '../../texts/index.js';
import { EntryState } from './entry-state.js';
import type { Job, Step, StepState } from './job.js';
import { StepDialog } from './step-dialog.js';

const canStart: readonly StepState[] = ['next', 'allowed', 'after'];
const marks: Partial<Record<StepState, IconName>> = {
  done: 'done',
  'needs-override': 'attention',
  refused: 'lock',
};

/**
 * One step: a large button, or what became of it. Whatever is done waits on the phone first.
 * `isLater`: another step comes before it.
 */
export function StepItem({ step, job, isLater }: { step: Step; job: Job; isLater: boolean }) {
  const [isFormOpen, setFormOpen] = useState(false);
  const [error, setError] = useState<Text | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isUnderWay = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const { action, is, isRecommended, waiting, message } = step;
  const { reservationId, plate } = job;
  const { fields, hasPhoto } = staffActions[action];
  const name = textOf('action', action);

  const store = async (values: Record<string, string>, file: Blob | null) => {
    // a double click acts once
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setError(null);
    try {
      const photo = file && (await resizePhoto(file));
      // what the browser cannot read it cannot re-encode, so it would show where the photo was taken
      if (photo !== null && photo === file) setError('go.photoUnreadable');
      else
        await enqueue({ reservationId, plate, action, fields: values }, photo && (await photo.arrayBuffer()));
    } catch {
      setError('go.notStored');
    }
    setBusy(false);
    isUnderWay.current = false;
  };
  const start = () => {
    if (hasPhoto) input.current?.click();
    else if (fields === 'none') void store({}, null);
    else setFormOpen(true);
  };

  return (
    <li class={`step ${is}`}>
      {may('staff') && (canStart.includes(is) || isBusy) ? (
        <Button
          kind={isRecommended ? 'primary' : 'step'}
          size="large"
          icon={actionIcons[action]}
          isBusy={isBusy}
          {...(isRecommended && { shortcut: 'n' })}
          label={`${name}, ${plate ?? reservationId}`}
          onClick={start}
        >
          <span class="grow">{name}</span>
          {hasPhoto && <Icon name="photo" />}
        </Button>
      ) : (
        <p class="settled row">
          <Icon name={(!isLater && marks[is]) || actionIcons[action]} />
          <span class="grow">{name}</span>
          {waiting === null ? (
            <span class="small soft">{isLater ? t('go.later') : textOf('step', is)}</span>
          ) : (
            <EntryState entry={waiting} />
          )}
          {is === 'done' && hasPhoto && step.state === 'allowed' && may('staff') && (
            <Button kind="quiet" icon="photo" label={`${t('step.again')}: ${name}`} onClick={start}>
              {t('step.again')}
            </Button>
          )}
        </p>
      )}
      {!isLater && (is === 'needs-override' || is === 'refused') && message !== null && (
        <p class="small soft why">{readable(message)}</p>
      )}
      {!isLater && is === 'needs-override' && may('staff') && (
        <a class="button quiet override" href={`/r/${reservationId}`}>
          {t('go.override')}
        </a>
      )}
      {error !== null && (
        <Notice tone="bad" icon="alert" isUrgent>
          {t(error)}
        </Notice>
      )}
      {hasPhoto && (
        <PhotoInput
          input={input}
          label={`${name}, ${plate ?? reservationId}`}
          accept="image/*"
          capture="environment"
          choose={(photo) => void store({}, photo)}
        />
      )}
      {isFormOpen && (
        <StepDialog
          action={action}
          plate={plate}
          run={(values) => {
            setFormOpen(false);
            void store(values, null);
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </li>
  );
}

import { OutcomeNotice } from '../design/outcome.js';
import { textOf } from '../texts/index.js';
import { type SentStep, useLastStep } from './last-step.js';
import { useFollowStep } from './use-follow.js';

/** What is known of the last step, whichever is next by now: it stays until the user's next step. */
export function StepOutcome({ id }: { id: number }) {
  const step = useLastStep(id);
  return step && <Outcome key={step.action} id={id} step={step} />;
}

/** While it is sent its button shows so, and what is applied has a mark. */
function Outcome({ id, step: { action, write } }: { id: number; step: SentStep }) {
  useFollowStep(write, id);
  if (['idle', 'sending', 'applied'].includes(write.outcome.value.is)) return null;
  return (
    <div class="step-outcome">
      <p class="small soft">{textOf('action', action)}</p>
      <OutcomeNotice write={write} />
    </div>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { StaffFields } from '../../actions/action-fields.js';
import { noteStep } from '../../actions/last-step.js';
import { rememberStaff } from '../../actions/recent-staff.js';
import { sendAction } from '../../actions/send-action.js';
import { useFollowStep } from '../../actions/use-follow.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { Mark, Plate } from '../../design/mark.js';
import { OutcomeNotice } from '../../design/outcome.js';
import { fourAtATime } from '../../state/four-at-a-time.js';
import { Write } from '../../state/write.js';
import { t, textOf } from '../../texts/index.js';
import { clearSelection, type Selected, select, selection } from './selection.js';

/** What can be done with the selected rows. */
export function SelectionBar() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => clearSelection, []);
  const { size } = selection.value;
  if (size === 0) return null;
  return (
    <div class="selection-bar row">
      <strong>{t('bulk.selected', { n: size })}</strong>
      <Button kind="primary" icon="staff" shortcut="b" onClick={() => setOpen(true)}>
        {t('bulk.assign')}
      </Button>
      <Button kind="quiet" shortcut="d" onClick={clearSelection}>
        {t('bulk.clear')}
      </Button>
      {isOpen && <BulkDialog selected={[...selection.value.values()]} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface Item extends Selected {
  write: Write;
}

/** One form for all, and one result for each: single requests, each with its own key. */
function BulkDialog({ selected, onClose }: { selected: readonly Selected[]; onClose(): void }) {
  // what is selected when the form opens, each with its key
  const [items] = useState<readonly Item[]>(() => selected.map((one) => ({ ...one, write: new Write() })));
  const outcomes = items.map(({ write }) => write.outcome.value.is);
  const isBusy = outcomes.includes('sending');
  const isBegun = outcomes.some((is) => is !== 'idle');
  const isLost = outcomes.includes('lost');
  const isDone = outcomes.every((is) => is === 'applied' || is === 'open');
  const isStopped = useRef(false);
  const close = () => {
    isStopped.current = true;
    // what was not sent stays selected
    if (isBegun) select(items.filter(({ write }) => write.outcome.peek().is === 'idle'));
    onClose();
  };
  const inTurn = (send: (item: Item) => Promise<void>) =>
    void fourAtATime(items, async (item) => {
      if (isStopped.current) return;
      const { reservationId, action, write } = item;
      // the row shows what becomes of it, also when the form is closed
      noteStep(reservationId, { action, write });
      await send(item);
    });
  const run = (form: HTMLFormElement) => {
    // those without an answer by the same key, before the fields can be changed for the others
    if (isLost) {
      inTurn(({ write }) => write.repeat());
      return;
    }
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    rememberStaff(fields);
    // what is applied or open stays as it is
    inTurn(({ write, reservationId, action }) => sendAction(write, reservationId, action, { fields }));
  };
  return (
    <Dialog
      title={t('bulk.title', { n: items.length })}
      submit={{
        label: t(isLost ? 'bulk.again' : outcomes.includes('rejected') ? 'bulk.rejected' : 'bulk.assign'),
        isBusy,
        isDone,
        run,
      }}
      onClose={close}
    >
      <fieldset class="stack plain" disabled={isBusy || isLost || isDone}>
        <StaffFields />
      </fieldset>
      <ul class="stack">
        {items.map((item) => (
          <BulkItem key={item.reservationId} item={item} />
        ))}
      </ul>
    </Dialog>
  );
}

function BulkItem({ item: { reservationId, plate, action, write } }: { item: Item }) {
  useFollowStep(write, reservationId);
  const { is } = write.outcome.value;
  return (
    <li>
      <p class="row wrap">
        <Plate number={plate} />
        <span class="soft small numeric">#{reservationId}</span>
        <span class="grow">{textOf('action', action)}</span>
        {is === 'applied' && (
          <Mark icon="done" tone="good">
            {t('command:applied')}
          </Mark>
        )}
        {is === 'sending' && <Mark icon="commanded">{t('outcome:sending')}</Mark>}
      </p>
      {is !== 'applied' && is !== 'sending' && <OutcomeNotice write={write} />}
    </li>
  );
}

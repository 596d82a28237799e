import { useState } from 'preact/hooks';
import { staffActions } from '../../../src/domain/reservation/actions.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { Mark, Plate } from '../../design/mark.js';
import { Notice } from '../../design/notice.js';
import { Refusal } from '../../design/outcome.js';
import { Panel } from '../../design/panel.js';
import { Moment } from '../../design/time.js';
import type { Entry } from '../../offline/entry.js';
import { applied, entries, giveUp, isUnreadable, round, tryAgain } from '../../offline/queue.js';
import { me } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { EntryState, hintOf } from './entry-state.js';
import { StepDialog } from './step-dialog.js';

/** What waits on this phone with the state of each, and what was applied since the page was opened. */
export function QueuePanel() {
  const [chosen, setChosen] = useState<number | null>(null);
  // as it stands now: it may be sent while the dialog is open
  const removed = entries.value.find(({ order }) => order === chosen);
  if (entries.value.length === 0 && applied.value.length === 0 && !isUnreadable.value) return null;
  return (
    <Panel title={t('queue.title')} icon="inbox" count={entries.value.length} class="queue" isFlush>
      {isUnreadable.value && (
        <Notice tone="bad" icon="alert" isUrgent>
          {t('queue.unreadable')}
        </Notice>
      )}
      {entries.value.length > 0 && (
        // what calls for the user is open
        <details open={entries.value.some(({ problem, by }) => problem !== null || by !== me()?.name)}>
          <summary>{summaryOf()}</summary>
          <ul class="entries">
            {entries.value.map((entry) => (
              <QueuedEntry key={entry.order} entry={entry} remove={() => setChosen(entry.order)} />
            ))}
          </ul>
        </details>
      )}
      {applied.value.length > 0 && (
        <details>
          <summary>{t('queue.applied', { n: applied.value.length })}</summary>
          <ul>
            {applied.value.map((entry) => (
              <li key={entry.key}>
                <What entry={entry} />
                <Mark icon="done" tone="good">
                  {t('command:applied')}
                </Mark>
              </li>
            ))}
          </ul>
        </details>
      )}
      {removed !== undefined && removed.state !== 'sending' && (
        <Dialog
          title={t('queue.removeTitle', { action: textOf('action', removed.action) })}
          submit={{
            label: t('queue.remove'),
            run: () => {
              void giveUp(removed);
              setChosen(null);
            },
          }}
          onClose={() => setChosen(null)}
        >
          <p>{t(['lost', 'open'].includes(removed.state) ? 'queue.removeOpenHint' : 'queue.removeHint')}</p>
        </Dialog>
      )}
    </Panel>
  );
}

function summaryOf(): string {
  if (round.value === 'login') return t('queue.login');
  if (round.value === 'offline') return t('queue.offline');
  return t(entries.value.some(({ state }) => state === 'rejected') ? 'queue.attention' : 'queue.sending');
}

function What({ entry: { plate, reservationId, action, at } }: { entry: Entry }) {
  return (
    <span class="row wrap grow">
      {plate === null ? <span>#{reservationId}</span> : <Plate number={plate} />}
      <strong>{textOf('action', action)}</strong>
      <span class="soft small">
        <Moment at={at} />
      </span>
    </span>
  );
}

function QueuedEntry({ entry, remove }: { entry: Entry; remove(): void }) {
  const [isFormOpen, setFormOpen] = useState(false);
  const { state, problem, reservationId, action, plate, fields } = entry;
  const hasFields = staffActions[action].fields !== 'none' && !entry.hasPhoto;
  const hint = hintOf(entry);
  return (
    <li class={state}>
      <What entry={entry} />
      <EntryState entry={entry} />
      {problem !== null && (
        <div class="refusal" role={state === 'rejected' ? 'alert' : undefined}>
          <Refusal problem={problem} />
        </div>
      )}
      {hint !== null && <p class="small soft">{hint}</p>}
      {state !== 'sending' && (
        <div class="row wrap">
          {state === 'rejected' && (
            <>
              {hasFields && (
                <Button kind="step" icon="asserted" onClick={() => setFormOpen(true)}>
                  {t('queue.edit')}
                </Button>
              )}
              <Button kind="step" icon="refresh" shortcut="q" onClick={() => void tryAgain(entry)}>
                {t('retry')}
              </Button>
              <a class="button" href={`/r/${reservationId}`}>
                {t('queue.open')}
              </a>
            </>
          )}
          <Button kind="quiet" icon="cancelled" onClick={remove}>
            {t('queue.remove')}
          </Button>
        </div>
      )}
      {isFormOpen && (
        <StepDialog
          action={action}
          plate={plate}
          given={fields}
          run={(values) => {
            setFormOpen(false);
            void tryAgain(entry, values);
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </li>
  );
}

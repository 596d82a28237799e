import { useEffect, useState } from 'preact/hooks';
import { ReasonField } from '../../actions/reason-field.js';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { refusalOf } from '../../api/problem.js';
import type { CallbackDetail, ReplayPreviews } from '../../api/types.js';
import { Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { readable } from '../../design/time.js';
import { isAbout } from '../../live/changes.js';
import { useResource } from '../../state/resource.js';
import { useFormWrite, type Write } from '../../state/write.js';
import { t, textOf } from '../../texts/index.js';
import { VerdictMark } from './list.js';

/** A callback is read again; what would change is shown first. */
export function ReplayDialog(props: { callback: CallbackDetail; refresh(): void; onClose(): void }) {
  const { callback, refresh, onClose } = props;
  const { id } = callback;
  const write = useFormWrite(endpoints.replay, { id });
  const [replays] = useState(() => Number(write.sent?.get('replays') ?? callback.replays));
  useVerdict(write, callback, replays);
  const { is } = write.outcome.value;
  return (
    <WriteDialog
      title={t('replay.title', { id })}
      submit={t('replay.button')}
      endpoint={endpoints.replay}
      params={{ id }}
      body={(data) => ({ reason: textIn(data, 'reason') })}
      awaited={t('replay.open')}
      applied={t('replay.done', { verdict: textOf('verdict', callback.verdict ?? 'none') })}
      write={write}
      onClose={() => {
        refresh();
        onClose();
      }}
    >
      <p>{t('replay.hint')}</p>
      {is === 'applied' ? (
        <p class="row wrap">
          <VerdictMark of={callback} />
          {callback.rule !== null && <span>{textOf('rule', callback.rule)}</span>}
        </p>
      ) : (
        <Preview callback={callback} />
      )}
      <input type="hidden" name="replays" value={replays} />
      <ReasonField />
    </WriteDialog>
  );
}

/** 202 is not known yet: the new verdict is the outcome. Without an answer, too, the number of replays shows that it was accepted. */
function useVerdict(write: Write, { state, replays, lastError }: CallbackDetail, before: number): void {
  const isAgain = replays > before;
  useEffect(() => {
    if (!isAgain) return;
    if (state === 'done') write.conclude({ is: 'applied' });
    if (state === 'dead')
      write.conclude({
        is: 'rejected',
        problem: refusalOf({ code: null, message: t('replay.dead', { code: lastError ?? '' }) }),
      });
  }, [isAgain, state, lastError, write, write.outcome.value]);
}

function Preview({ callback: { id, reservationId } }: { callback: CallbackDetail }) {
  // what was foreseen when the form was open before is no longer true
  const [openedAt] = useState(Date.now);
  const preview = useResource(`preview ${id} ${openedAt}`, {
    load: async () => {
      const request = { params: { id }, query: { dryRun: 'true' }, body: { reason: 'preview' } };
      return (await send(endpoints.previewReplay, request)).body;
    },
    concerns: (change) => reservationId !== null && isAbout(change, ['reservation'], reservationId),
  });
  return (
    <section class="preview" aria-label={t('replay.preview')}>
      <h3>{t('replay.preview')}</h3>
      <Load of={preview}>{({ events: [event] }) => event && <PreviewOfEvent event={event} />}</Load>
    </section>
  );
}

function PreviewOfEvent({ event: { foreseen, code, changes } }: { event: ReplayPreviews['events'][number] }) {
  if (foreseen === null)
    return (
      <Notice tone="bad" icon="cancelled">
        {t('replay.refused')} <span class="mono">{code}</span>
      </Notice>
    );
  return (
    <div class="stack">
      <p class="row wrap">
        <VerdictMark of={{ state: 'done', ...foreseen }} />
        <span>{textOf('rule', foreseen.rule)}</span>
      </p>
      {changes.length === 0 ? (
        <p class="soft">{t('replay.nothing')}</p>
      ) : (
        <div class="scroll">
          <table class="changes small">
            <thead>
              <tr>
                <th scope="col">{t('replay.field')}</th>
                <th scope="col">{t('replay.before')}</th>
                <th scope="col">{t('replay.after')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row" class="mono">
                    {field}
                  </th>
                  <td>{written(before)}</td>
                  <td>{written(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function written(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return readable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

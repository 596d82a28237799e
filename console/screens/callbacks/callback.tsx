import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { parsed } from '../../api/parsed.js';
import type { CallbackDetail } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon } from '../../design/icon.js';
import { Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { Moment, readable } from '../../design/time.js';
import { useResource } from '../../state/resource.js';
import { place } from '../../state/router.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { VerdictMark } from './list.js';
import { addressWith } from './query.js';
import { ReplayDialog } from './replay-dialog.js';
import { Values } from './values.js';

/** One callback: its verdict and the rule, what it changed, what it reported, and how it was handled. */
export function CallbackPanel({ id }: { id: number }) {
  const resource = useResource(`callback ${id}`, {
    load: async () => (await send(endpoints.callback, { params: { id } })).body,
    concerns: ({ event, id: changed }) => event === 'callback' && Number(changed) === id,
  });
  return (
    <section class="panel callback" aria-label={t('in.one', { id })}>
      <Load of={resource}>
        {(callback) => <Story callback={callback} refresh={() => void resource.refresh()} />}
      </Load>
    </section>
  );
}

function Story({ callback, refresh }: { callback: CallbackDetail; refresh(): void }) {
  const { id, channel, reservationId, receivedAt } = callback;
  return (
    <>
      <header>
        <a class="button quiet back" href={addressWith(place.value.query, null)}>
          <Icon name="back" /> {t('in.back')}
        </a>
        <h2>
          <span class="numeric">#{id}</span> {textOf('channel', channel)}
        </h2>
        {reservationId === null ? (
          <span class="soft">{t('callback.noReservation')}</span>
        ) : (
          <a href={`/r/${reservationId}`} class="numeric">
            → {reservationId}
          </a>
        )}
        <span class="soft small grow">
          <Moment at={receivedAt} />
        </span>
        <ReplayButton callback={callback} refresh={refresh} />
      </header>
      <Verdict callback={callback} />
      <Effect callback={callback} />
      <Reported callback={callback} />
      {may('manager') && <Raw callback={callback} />}
      <Handling callback={callback} />
    </>
  );
}

function ReplayButton({ callback, refresh }: { callback: CallbackDetail; refresh(): void }) {
  const [isOpen, setOpen] = useState(false);
  if (!may('manager')) return null;
  return (
    <>
      <Button icon="refresh" shortcut="r" onClick={() => setOpen(true)}>
        {t('replay.button')}
      </Button>
      {isOpen && <ReplayDialog callback={callback} refresh={refresh} onClose={() => setOpen(false)} />}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="part stack">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Verdict({ callback }: { callback: CallbackDetail }) {
  const { state, rule, lastError } = callback;
  return (
    <Part title={t('callback.verdict')}>
      <p class="row wrap">
        <VerdictMark of={callback} />
        {state !== 'done' && <span>{textOf('inbox', `${state}.hint`)}</span>}
      </p>
      {rule !== null && state === 'done' && <p>{textOf('rule', rule)}</p>}
      {lastError !== null && (
        <Notice tone="bad" icon="alert">
          <span class="mono">{lastError}</span>
        </Notice>
      )}
    </Part>
  );
}

function Effect({ callback: { timeline, reservationId } }: { callback: CallbackDetail }) {
  return (
    <Part title={t('callback.effect')}>
      {timeline.length === 0 && <p class="soft">{t('callback.noEffect')}</p>}
      {timeline.length > 0 && (
        <ul class="stack">
          {timeline.map(({ seq, at, rule, text }) => (
            <li key={seq} class="effect">
              <span class="soft small">
                <Moment at={at} withSeconds />
              </span>
              <span class="grow">{readable(text)}</span>
              <span class="mono small soft">{rule}</span>
            </li>
          ))}
        </ul>
      )}
      {timeline.length > 0 && reservationId !== null && (
        <p>
          <a href={`/r/${reservationId}`}>{t('timeline.title')}</a>
        </p>
      )}
    </Part>
  );
}

function Reported({ callback: { event, unreadable } }: { callback: CallbackDetail }) {
  return (
    <Part title={t('callback.values')}>
      {unreadable !== null && (
        <Notice tone="bad" icon="alert">
          <strong>{t('callback.unreadable')}</strong> <span class="mono">{unreadable.code}</span>
          {(unreadable.problems ?? unreadable.fields).map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Notice>
      )}
      {event?.malformed !== undefined && event.malformed.length > 0 && (
        <Notice tone="warn" icon="attention">
          {t('callback.malformed')} <span class="mono">{event.malformed.join(', ')}</span>
        </Notice>
      )}
      {event === null ? (
        unreadable === null && <p class="soft">{t('callback.noValues')}</p>
      ) : (
        <Values event={event} />
      )}
    </Part>
  );
}

/** For managers: the API has the body for no one else. */
function Raw({ callback: { raw, headers } }: { callback: CallbackDetail }) {
  return (
    <div class="part">
      <details>
        <summary>
          <h3>{t('callback.raw')}</h3>
        </summary>
        {raw === null ? (
          <p class="soft">{t('callback.noRaw')}</p>
        ) : (
          <>
            {raw.encoding === 'base64' && <p class="soft">{t('callback.base64')}</p>}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard */}
            <pre class="raw" tabIndex={0}>
              {raw.encoding === 'base64' ? raw.content : indented(raw.content)}
            </pre>
          </>
        )}
        <h3 class="small">{t('callback.headers')}</h3>
        <dl class="small pairs">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function indented(content: string): string {
  const value = parsed(content);
  return value === undefined ? content : JSON.stringify(value, null, 2);
}

function Handling({ callback }: { callback: CallbackDetail }) {
  const { receivedAt, sentAt, verdictAt, identity, eventId, path, copies, failures, resends, earlier } =
    callback;
  const moment = (at: string | null) => at && <Moment at={at} withSeconds />;
  const pairs: [string, ComponentChildren][] = [
    [t('callback.received'), moment(receivedAt)],
    [t('callback.sent'), moment(sentAt)],
    [t('callback.judged'), moment(verdictAt)],
    [t('callback.identity'), `${eventId} (${t(`callback.identity:${identity}`)})`],
    [t('callback.path'), path],
    [t('callback.resends'), resends > 0 ? `${resends}×` : null],
    [t('callback.failures'), failures > 0 ? String(failures) : null],
  ];
  return (
    <Part title={t('callback.handling')}>
      <dl class="pairs">
        {pairs.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="numeric">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {copies > 1 && <p>{t('in.copies', { n: copies })}</p>}
      {earlier.length > 0 && <h3>{t('callback.earlier')}</h3>}
      {earlier.map((one) => (
        <p key={one.replay} class="row wrap">
          <span>{t('callback.earlierOf', { n: one.replay, by: one.by })}</span>
          <span class="soft small">
            <Moment at={one.at} />
          </span>
          <VerdictMark of={one} />
        </p>
      ))}
    </Part>
  );
}

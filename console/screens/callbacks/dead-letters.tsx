import { useState } from 'preact/hooks';
import { ReasonField } from '../../actions/reason-field.js';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { Callback, Post } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon } from '../../design/icon.js';
import { Load } from '../../design/load.js';
import { Mark } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment } from '../../design/time.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { useDeadCallbacks, usePosts } from './open-items.js';

/** Callbacks that were given up, and posts that their receivers have not accepted. */
export function DeadLettersView() {
  const callbacks = useDeadCallbacks();
  const posts = usePosts();
  const [resent, setResent] = useState<number | null>(null);
  return (
    <div class="stack">
      <Panel title={t('dead.callbacks')} icon="inbox" isFlush>
        <Load of={callbacks}>
          {({ items }) => (
            <RowsInPlace
              items={items}
              idOf={({ id }) => id}
              empty={t('dead.noCallbacks')}
              row={(one) => <DeadCallback callback={one} />}
              button={({ id }) => (
                <a class="button" href={`/in?state=dead&id=${id}`}>
                  {t('dead.open')}
                </a>
              )}
            />
          )}
        </Load>
      </Panel>
      <Panel title={t('dead.posts')} icon="out" isFlush>
        <Load of={posts}>
          {({ items }) => (
            <RowsInPlace
              items={items}
              idOf={({ id }) => id}
              empty={t('dead.noPosts')}
              row={(post) => <PostRow post={post} />}
              button={({ id, state }) =>
                state === 'dead' &&
                may('manager') && (
                  <Button shortcut="r" onClick={() => setResent(id)}>
                    {t('outcome.again')}
                  </Button>
                )
              }
            />
          )}
        </Load>
      </Panel>
      {resent !== null && (
        <WriteDialog
          title={t('dead.resendTitle', { id: resent })}
          submit={t('outcome.again')}
          endpoint={endpoints.resendPost}
          params={{ id: resent }}
          body={(data) => ({ reason: textIn(data, 'reason') })}
          awaited={t('dead.resendOpen')}
          onClose={() => {
            setResent(null);
            void posts.refresh();
          }}
        >
          <ReasonField />
        </WriteDialog>
      )}
    </div>
  );
}

function DeadCallback({ callback }: { callback: Callback }) {
  const { id, channel, reservationId, receivedAt, failures, lastError } = callback;
  return (
    <>
      <Icon name="cancelled" />
      <div class="grow">
        <p class="row wrap">
          <strong>
            #{id} {textOf('channel', channel)}
          </strong>
          {reservationId !== null && <a href={`/r/${reservationId}`}>→ {reservationId}</a>}
          {lastError !== null && <span class="mono small">{lastError}</span>}
        </p>
        <p class="soft small row wrap">
          <Moment at={receivedAt} />
          <span>{t('dead.failures', { n: failures })}</span>
        </p>
      </div>
    </>
  );
}

function PostRow({ post }: { post: Post }) {
  const { id, destination, key, state, createdAt, failures, lastError } = post;
  const isDead = state === 'dead';
  return (
    <>
      <Icon name={isDead ? 'cancelled' : 'wait'} />
      <div class="grow">
        <p class="row wrap">
          <strong>
            #{id} {textOf('dead', destination)}
          </strong>
          <span class="mono small">{key}</span>
          <Mark icon={isDead ? 'cancelled' : 'wait'} tone={isDead ? 'bad' : 'warn'}>
            {textOf('dead', state)}
          </Mark>
          {lastError !== null && <span class="mono small">{lastError}</span>}
        </p>
        <p class="soft small row wrap">
          <Moment at={createdAt} />
          <span>{t('dead.failures', { n: failures })}</span>
        </p>
      </div>
    </>
  );
}

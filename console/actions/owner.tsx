import { useState } from 'preact/hooks';
import { endpoints } from '../api/endpoints.js';
import { Icon } from '../design/icon.js';
import { NotRead } from '../design/load.js';
import { OutcomeNotice } from '../design/outcome.js';
import { may, me } from '../state/session.js';
import { staffList } from '../state/staff.js';
import { useNamedWrite, type Write } from '../state/write.js';
import { t } from '../texts/index.js';
import { ResolveAttention } from './resolve-attention.js';

/** Who works on an attention item: claim it, hand it off, or give it back. */
export function Owner({
  reservationId,
  kind,
  owner,
}: {
  reservationId: number;
  kind: string;
  owner: string | null;
}) {
  const [isResolving, setResolving] = useState(false);
  const id = `owner-${reservationId}-${kind}`;
  const write = useNamedWrite(id);
  const user = me();
  if (user === null || !may('staff')) return owner === null ? null : <OwnerName owner={owner} />;
  const { is } = write.outcome.value;
  const params = { id: reservationId, kind };
  // the menu stays open until it is applied, and so shows why it is not
  const close = () => document.getElementById(id)?.hidePopover();
  const change = (name: string | null) => {
    if (is === 'sending') return;
    write.reset();
    // it is refused where another person has it meanwhile
    if (name !== null) void write.send(endpoints.claim, { params, body: { name, from: owner } }, close);
    else if (owner !== null) void write.send(endpoints.release, { params, query: { from: owner } }, close);
  };
  const isFailed = is === 'rejected' || is === 'lost';
  const label = owner === null ? t('owner.none') : t('owner.is', { name: owner });
  return (
    <>
      <button
        type="button"
        class="button quiet owner"
        popovertarget={id}
        aria-keyshortcuts="c"
        aria-label={isFailed ? `${label}. ${t(`outcome:${is}`)}` : label}
        onClick={() => void staffList().refresh()}
      >
        <Icon name="user" />
        {is === 'sending' ? t('outcome:sending') : (owner ?? t('owner.claim'))}
        {isFailed && (
          <>
            <Icon name="alert" /> {t(`outcome:${is}`)}
          </>
        )}
      </button>
      <OwnerMenu
        id={id}
        kind={kind}
        owner={owner}
        user={user.name}
        write={write}
        change={change}
        resolve={() => {
          close();
          setResolving(true);
        }}
      />
      {isResolving && (
        <ResolveAttention reservationId={reservationId} kind={kind} onClose={() => setResolving(false)} />
      )}
    </>
  );
}

function OwnerName({ owner }: { owner: string }) {
  return (
    <span class="row small">
      <Icon name="user" /> {owner}
    </span>
  );
}

function OwnerMenu(props: {
  id: string;
  kind: string;
  owner: string | null;
  user: string;
  write: Write;
  change(name: string | null): void;
  resolve(): void;
}) {
  const { id, kind, owner, user, write, change, resolve } = props;
  const { is } = write.outcome.value;
  const state = staffList().state.value;
  const others = state.is === 'ready' ? state.data.filter(({ name }) => name !== user && name !== owner) : [];
  return (
    <div id={id} popover="auto" class="menu owner-menu">
      {owner !== user && (
        <button type="button" class="button quiet" onClick={() => change(user)}>
          {owner === null ? t('owner.claimMe') : t('owner.takeOver', { name: owner })}
        </button>
      )}
      {others.map(({ name }) => (
        <button key={name} type="button" class="button quiet" onClick={() => change(name)}>
          {t('owner.handOff', { name })}
        </button>
      ))}
      {state.is === 'error' && <NotRead what={t('owner.handOff', { name: '…' })} />}
      {owner !== null && (
        <button type="button" class="button quiet" onClick={() => change(null)}>
          {t('owner.release')}
        </button>
      )}
      {may('manager') && (
        <button type="button" class="button quiet" onClick={resolve}>
          {t(kind === 'command-unknown' ? 'commands.resolve' : 'owner.resolve')}
        </button>
      )}
      {(is === 'rejected' || is === 'lost') && <OutcomeNotice write={write} />}
    </div>
  );
}

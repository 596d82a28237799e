import { useState } from 'preact/hooks';
import { endpoints } from '../api/endpoints.js';
import { Icon } from '../design/icon.js';
import { may, me } from '../state/session.js';
import { staffList } from '../state/staff.js';
import { useNamedWrite } from '../state/write.js';
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
  const change = (name: string | null) => {
    document.getElementById(id)?.hidePopover();
    write.reset();
    if (name === null) void write.send(endpoints.release, { params });
    else void write.send(endpoints.claim, { params, body: name === user.name ? {} : { name } });
  };
  return (
    <>
      <button
        type="button"
        class="button quiet owner"
        popovertarget={id}
        aria-label={owner === null ? t('owner.none') : t('owner.is', { name: owner })}
        onClick={() => void staffList().refresh()}
      >
        <Icon name="user" />
        {is === 'sending' ? t('outcome.sending') : (owner ?? t('owner.claim'))}
        {(is === 'rejected' || is === 'lost') && <Icon name="alert" />}
      </button>
      <OwnerMenu
        id={id}
        kind={kind}
        owner={owner}
        user={user.name}
        change={change}
        resolve={() => setResolving(true)}
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
  change(name: string | null): void;
  resolve(): void;
}) {
  const { id, kind, owner, user, change, resolve } = props;
  const state = staffList().state.value;
  const others = state.is === 'ready' ? state.data.filter(({ name }) => name !== user && name !== owner) : [];
  return (
    <div id={id} popover="auto" class="menu owner-menu">
      {owner !== user && (
        <button type="button" class="button quiet" onClick={() => change(user)}>
          {t('owner.claimMe')}
        </button>
      )}
      {others.map(({ name }) => (
        <button key={name} type="button" class="button quiet" onClick={() => change(name)}>
          {t('owner.handOff', { name })}
        </button>
      ))}
      {owner !== null && (
        <button type="button" class="button quiet" onClick={() => change(null)}>
          {t('owner.release')}
        </button>
      )}
      {may('manager') && (
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            document.getElementById(id)?.hidePopover();
            resolve();
          }}
        >
          {t(kind === 'command-unknown' ? 'commands.resolve' : 'owner.resolve')}
        </button>
      )}
    </div>
  );
}

import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.js';
import { explain } from '../api/problem.js';
import type { Loaded, Resource } from '../state/resource.js';
import { language, t } from '../texts/index.js';
import { Button } from './button.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';
import { formatMoment, formatRelative } from './time.js';

/** Shows a resource in its state: loading, failed, or its data, with a notice where it is stale. */
export function Load<Data>({
  of,
  children,
}: {
  of: Resource<Data>;
  children(data: Data, isStale: boolean): ComponentChildren;
}) {
  const state: Loaded<Data> = of.state.value;
  if (state.is === 'loading') return <Loading />;
  if (state.is === 'error') return <LoadError error={state.error} retry={() => void of.refresh()} />;
  return (
    <>
      {state.stale !== null && <Stale {...state.stale} />}
      {children(state.data, state.stale !== null)}
    </>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status" aria-label={t('loading')}>
      <span />
      <span />
      <span />
    </div>
  );
}

/** The newest reading failed. */
export function Stale({ since, error }: { since: number; error?: ApiError }) {
  return (
    <div class="stale">
      <Notice tone="warn" icon="offline" isUrgent>
        {t('stale', { time: formatMoment(since), ago: formatRelative(since) })}{' '}
        {error !== undefined && reasonOf(error)}
      </Notice>
    </div>
  );
}

/** A failed query never shows as "no results". */
export function LoadError({ error, retry }: { error: ApiError; retry(): void }) {
  const { problem } = error;
  return (
    <div class="empty" role="alert">
      <Icon name="alert" />
      <p>{reasonOf(error)}</p>
      {problem !== null && <p class="small mono">{problem.code}</p>}
      <Button icon="refresh" shortcut="y" onClick={retry}>
        {t('retry')}
      </Button>
    </div>
  );
}

/** Why it failed, in one sentence. */
export function reasonOf({ status, problem }: ApiError): string {
  if (status === 0) return t('error.unreachable');
  return problem === null ? t('error.failed') : explain(problem, language.value);
}

/** There is nothing, and this is known. */
export function Empty({ children }: { children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name="done" />
      <p>{children}</p>
    </div>
  );
}

/** A part that could not be read is marked as such, never as empty. */
export function NotRead({ what, code }: { what?: string; code?: string }) {
  return (
    <p class="row wrap">
      <Icon name="alert" /> {what !== undefined && `${what}:`} {t('error.part')}{' '}
      {code !== undefined && <span class="mono small">{code}</span>}
    </p>
  );
}

/** The same among the options of a field. */
export function OptionsNotRead({ of }: { of: Loaded<unknown> }) {
  return of.is === 'error' ? <option disabled>{t('error.part')}</option> : null;
}

import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failed, Loading } from '../design/load.js';
import { type Text, t } from '../texts/index.js';

/** What a path shows; `id` is the number in it. */
export type Screen = FunctionComponent<{ id: number }>;

/** A screen whose script is a file of its own, loaded when the screen is first shown. */
export function loadedWhenShown(title: Text, load: () => Promise<Screen>): Screen {
  const state = signal<Screen | 'new' | 'loading' | 'failed'>('new');
  const start = async () => {
    state.value = 'loading';
    state.value = await load().catch(() => 'failed' as const);
  };
  return (props) => {
    useEffect(() => {
      if (state.value === 'new') void start();
    }, []);
    const Shown = state.value;
    if (typeof Shown === 'function') return <Shown {...props} />;
    return (
      <>
        <h1 class="only-spoken">{t(title)}</h1>
        {Shown === 'failed' ? (
          <Failed retry={() => void loadPage()}>{t('screen.failed')}</Failed>
        ) : (
          <Loading />
        )}
      </>
    );
  };
}

/** Browsers do not load a failed script again, and a newer build has other files: the page is reloaded, where a server answers. */
async function loadPage(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
}

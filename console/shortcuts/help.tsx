import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { Dialog } from '../design/dialog.js';
import { t } from '../texts/index.js';
import { listShortcuts } from './shortcuts.js';

export const isHelpOpen = signal(false);

/** The list of shortcuts: those of the screen, then those of every screen. */
export function ShortcutHelp() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title={t('shortcuts.title')} onClose={() => (isHelpOpen.value = false)}>
      <dl class="shortcuts">
        {listShortcuts().map(({ keys, name }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <Fragment key={index}>
                  {index > 0 && <span class="soft small"> {t('shortcuts.then')} </span>}
                  <kbd>{key.replace('+', ' + ')}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{name()}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { Dialog } from '../design/dialog.js';
import { t } from '../texts/index.js';
import { type Shortcut, shortcuts } from './shortcuts.js';

export const isHelpOpen = signal(false);

/** The first one of its keys is what they do: a screen's comes before that of every screen. */
const isFirst = ({ keys }: Shortcut, index: number, all: readonly Shortcut[]) =>
  all.findIndex((one) => one.keys === keys) === index;

/** The list of shortcuts: those of the screen, then those of every screen. */
export function ShortcutHelp() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title={t('shortcuts.title')} onClose={() => (isHelpOpen.value = false)}>
      <dl class="shortcuts">
        {shortcuts.value.filter(isFirst).map(({ keys, text, values }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <Fragment key={index}>
                  {index > 0 && <span class="soft small"> {t('shortcuts.then')} </span>}
                  <kbd>{key.replace('+', ' + ')}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{t(text, values?.())}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

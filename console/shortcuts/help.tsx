import { signal } from '@preact/signals';
import { Dialog } from '../design/dialog.js';
import { t } from '../texts/index.js';
import { shortcuts } from './shortcuts.js';

export const isHelpOpen = signal(false);

/** The list of shortcuts: those of the screen, then those of every screen. */
export function ShortcutHelp() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title={t('shortcuts.title')} onClose={() => (isHelpOpen.value = false)}>
      <dl class="shortcuts">
        {shortcuts.value.map(({ keys, text, values }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <>
                  {index > 0 && <span class="soft small"> {t('shortcuts.then')} </span>}
                  <kbd>{key.replace('+', ' + ')}</kbd>
                </>
              ))}
            </dt>
            <dd>{t(text, values?.())}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

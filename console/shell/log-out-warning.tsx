import { Dialog } from '../design/dialog.js';
import { entries, isLogOutWarned, isUnreadable } from '../offline/queue.js';
import { logOut } from '../state/session.js';
import { t } from '../texts/index.js';

/** What waits on this phone would be deleted. */
export function LogOutWarning() {
  if (!isLogOutWarned.value) return null;
  return (
    <Dialog
      title={t('queue.logOut', { n: entries.value.length })}
      submit={{ label: t('queue.logOutAnyway'), run: () => void logOut() }}
      onClose={() => (isLogOutWarned.value = false)}
    >
      {isUnreadable.value && <p>{t('queue.unreadable')}</p>}
      <p>{t('queue.logOutHint')}</p>
    </Dialog>
  );
}

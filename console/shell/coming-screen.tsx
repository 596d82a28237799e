import { t } from '../texts/index.js';

/** Stands for a screen that is not there yet. */
export function ComingScreen() {
  return <p class="empty">{t('screen.soon')}</p>;
}

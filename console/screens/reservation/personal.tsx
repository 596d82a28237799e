import type { ComponentChildren } from 'preact';
import { may } from '../../state/session.js';
import { t } from '../../texts/index.js';

/** Personal data is null for viewers: they see that it is hidden, not that there is none. */
export function personal(value: string | null | undefined): ComponentChildren {
  if (value) return value;
  return <span class="soft">{may('staff') ? t('none') : t('hidden.viewer')}</span>;
}

import type { IconName } from '../../design/icon.js';
import { Mark } from '../../design/mark.js';
import type { Tone } from '../../design/meanings.js';
import type { Entry } from '../../offline/entry.js';
import { me } from '../../state/session.js';
import { type Text, t, textOf } from '../../texts/index.js';

const states: Record<Entry['state'], [Text, IconName, Tone]> = {
  waiting: ['queue.waiting', 'wait', 'warn'],
  sending: ['outcome:sending', 'commanded', 'accent'],
  lost: ['queue.lost', 'unknown', 'warn'],
  open: ['command:queued', 'wait', 'warn'],
  rejected: ['queue.rejected', 'cancelled', 'bad'],
};

/** What is known of an entry: an icon and a text. */
export function EntryState({ entry }: { entry: Entry }) {
  const [text, icon, tone] = states[entry.state];
  return (
    <Mark icon={icon} tone={tone}>
      {entry.state === 'open' ? textOf('command', entry.awaited ?? 'queued') : t(text)}
    </Mark>
  );
}

/** What has to happen before it is sent, or what to do; null: nothing of its own. */
export function hintOf(entry: Entry): string | null {
  if (entry.by !== me()?.name) return t('queue.ofOther', { name: entry.by });
  if (entry.state === 'open') return textOf('awaited', entry.awaited ?? 'queued');
  if (entry.state === 'rejected') return t('queue.rejectedHint');
  return entry.state === 'lost' ? t('queue.lostHint') : null;
}

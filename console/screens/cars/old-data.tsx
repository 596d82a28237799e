import { Notice } from '../../design/notice.js';
import { formatDuration } from '../../design/time.js';
import { t } from '../../texts/index.js';

/** Where the platform could not be read: how old is what is shown, and why. */
export function OldData({
  of: { staleBecause, ageSeconds },
}: {
  of: { staleBecause: string | null; ageSeconds: number };
}) {
  if (staleBecause === null) return null;
  return (
    <Notice tone="warn" icon="offline">
      {t('cars.stale', { duration: formatDuration(ageSeconds * 1_000) })}{' '}
      <span class="mono">{staleBecause}</span>
    </Notice>
  );
}

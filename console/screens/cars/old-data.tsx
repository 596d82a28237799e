import { Notice } from '../../design/notice.js';
import { Moment } from '../../design/time.js';
import { t } from '../../texts/index.js';

/** Where the platform could not be read: of when is what is shown, and why. */
export function OldData({
  of: { staleBecause, asOf },
}: {
  of: { staleBecause: string | null; asOf: string };
}) {
  if (staleBecause === null) return null;
  return (
    <Notice tone="warn" icon="offline">
      {t('cars.stale')} <Moment at={asOf} /> <span class="mono">{staleBecause}</span>
    </Notice>
  );
}

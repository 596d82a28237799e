import { Notice } from '../../design/notice.js';
import { t } from '../../texts/index.js';

/** Where a list has more than was read. */
export function PartNotice({ isWhole, n }: { isWhole: boolean; n: number }) {
  if (isWhole) return null;
  return (
    <Notice tone="warn" icon="attention">
      {t('shift.part', { n })}
    </Notice>
  );
}

import { Notice } from '../../design/notice.js';
import { t } from '../../texts/index.js';

interface PartNoticeProps {
  isWhole: boolean;
  n: number;
  /** The export has the rest. */
  isExported?: boolean;
}

/** Where a list has more than was read. */
export function PartNotice({ isWhole, n, isExported = false }: PartNoticeProps) {
  if (isWhole) return null;
  return (
    <Notice tone="warn" icon="attention">
      {t('shift.part', { n })} {isExported && t('shift.part.csv')}
    </Notice>
  );
}

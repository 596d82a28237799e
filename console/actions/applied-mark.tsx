import { Mark } from '../design/mark.js';
import { t, textOf } from '../texts/index.js';
import { appliedAction } from './applied.js';

/** What was applied last, in the place of its button. */
export function AppliedMark({ id }: { id: number }) {
  const action = appliedAction(id);
  return (
    <span role="status">
      {action !== undefined && (
        <Mark icon="done" tone="good">
          {t('outcome.appliedAction', { action: textOf('action', action) })}
        </Mark>
      )}
    </span>
  );
}

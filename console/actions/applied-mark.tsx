import { Mark } from '../design/mark.js';
import { t, textOf } from '../texts/index.js';
import { useLastStep } from './last-step.js';

/** What was applied last, in the place of its button. */
export function AppliedMark({ id, isShort = false }: { id: number; isShort?: boolean }) {
  const step = useLastStep(id);
  const action = step?.write.outcome.value.is === 'applied' ? step.action : undefined;
  return (
    <span role="status">
      {action !== undefined && (
        <Mark
          icon="done"
          tone="good"
          title={t('outcome.appliedAction', { action: textOf('action', action) })}
        >
          {isShort ? (
            <>
              <span class="only-spoken">{textOf('action', action)}</span> {t('command:applied')}
            </>
          ) : (
            t('outcome.appliedAction', { action: textOf('action', action) })
          )}
        </Mark>
      )}
    </span>
  );
}

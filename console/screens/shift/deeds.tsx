import { useEffect, useState } from 'preact/hooks';
import type { ActivityEntry } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Mark, Plate } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { RowsInPlace } from '../../design/rows-in-place.js';
import { Moment } from '../../design/time.js';
import { place, setQuery } from '../../state/router.js';
import { t, textOf } from '../../texts/index.js';
import { deedText, outcomeText } from './deed-text.js';
import { isDone, outcomeOf } from './items.js';

const pageSize = 100;

/** What each person did, newest first; one person's by the address. */
export function Deeds({ deeds }: { deeds: readonly ActivityEntry[] }) {
  const person = place.value.query.get('by');
  const [count, setCount] = useState(pageSize);
  useEffect(() => {
    const all = () => setCount(Number.POSITIVE_INFINITY);
    addEventListener('beforeprint', all);
    return () => removeEventListener('beforeprint', all);
  }, []);
  const people = [...new Set(deeds.map(({ by }) => by ?? ''))].sort();
  const shown = deeds.filter(({ by }) => person === null || by === person);
  const choice = (
    <select
      class="input no-print"
      aria-label={t('shift.by')}
      onChange={({ currentTarget }) => setQuery({ by: currentTarget.value })}
    >
      <option value="">{t('shift.everyone')}</option>
      {people.map((name) => (
        <option key={name} value={name} selected={name === person}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <Panel title={t('shift.who')} icon="staff" count={shown.length} tools={choice} isFlush class="deeds">
      <RowsInPlace
        key={person}
        items={shown}
        count={count}
        isLog
        idOf={({ id }) => id}
        empty={t('none')}
        row={(entry) => <Deed entry={entry} />}
      />
      {shown.length > count && (
        <p class="line no-print">
          <Button icon="down" shortcut="+" onClick={() => setCount(count + pageSize)}>
            {t('in.more')}
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** When, who, what, and to what. */
export function DeedHead({
  at,
  by,
  action,
  ...of
}: Pick<ActivityEntry, 'at' | 'by' | 'action' | keyof SubjectProps>) {
  return (
    <>
      <span class="soft small">
        <Moment at={at} />
      </span>
      <strong>{by}</strong>
      <span>{deedText(action)}</span>
      <Subject {...of} />
    </>
  );
}

function Deed({ entry }: { entry: ActivityEntry }) {
  const { kind } = entry.data;
  const outcome = outcomeOf(entry);
  return (
    <>
      <DeedHead {...entry} />
      {typeof kind === 'string' && <span class="small">{textOf('attention', kind)}</span>}
      {outcome !== null && (
        <Mark
          icon={isDone(entry) ? 'done' : outcome === 'rejected' ? 'cancelled' : 'unknown'}
          tone={isDone(entry) ? 'quiet' : 'warn'}
        >
          {outcomeText(entry)}
        </Mark>
      )}
    </>
  );
}

type SubjectProps = Pick<ActivityEntry, 'subject' | 'carId' | 'carNumber'>;

/** Links to where the subject is shown. */
function Subject({ subject, carId, carNumber }: SubjectProps) {
  const [, term, id = ''] = /^(\w+)\/(.+)$/.exec(subject) ?? [];
  const href =
    term === 'reservation'
      ? `/r/${id}`
      : term === 'inbox'
        ? `/in?id=${id}`
        : term === 'car'
          ? `/cars?car=${id}`
          : term === 'hold' && carId !== null
            ? `/cars?car=${carId}`
            : term === 'booking'
              ? '/in?view=bookings'
              : term === 'finding'
                ? '/in?view=findings'
                : null;
  if (href === null) return <span class="mono small soft subject">{subject}</span>;
  return (
    <>
      {carId !== null && <Plate number={carNumber} carId={carId} />}
      <a href={href}>{term === 'reservation' ? `#${id}` : textOf('subject', term ?? '')}</a>
    </>
  );
}

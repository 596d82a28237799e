import { useState } from 'preact/hooks';
import type { ActivityEntry } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Empty } from '../../design/load.js';
import { Mark, Plate } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { formatMoment } from '../../design/time.js';
import { place, setQuery } from '../../state/router.js';
import { t, textOf } from '../../texts/index.js';
import { isDone, outcomeOf } from './items.js';

const pageSize = 100;

/** What each person did, newest first; one person's by the address. */
export function Deeds({ deeds }: { deeds: readonly ActivityEntry[] }) {
  const person = place.value.query.get('by');
  const [count, setCount] = useState(pageSize);
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
      {shown.length === 0 ? (
        <Empty>{t('shift.who.none')}</Empty>
      ) : (
        <ul>
          {shown.slice(0, count).map((entry) => (
            <Deed key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {shown.length > count && (
        <p class="line no-print">
          <Button icon="down" onClick={() => setCount(count + pageSize)}>
            {t('in.more')}
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** An action of a reservation has its own text. */
export function deedText(action: string): string {
  if (action.endsWith('.read')) return t('done.read');
  const text = textOf('action', action);
  return text === action ? textOf('done', action) : text;
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
      <time class="soft small numeric" dateTime={at}>
        {formatMoment(at)}
      </time>
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
    <li class="line row wrap">
      <DeedHead {...entry} />
      {typeof kind === 'string' && <span class="small">{textOf('attention', kind)}</span>}
      {outcome !== null && (
        <Mark
          icon={isDone(entry) ? 'done' : outcome === 'rejected' ? 'cancelled' : 'unknown'}
          tone={isDone(entry) ? 'quiet' : 'warn'}
        >
          {outcome === 'open' ? t('shift.noOutcome') : textOf('command', outcome)}
        </Mark>
      )}
    </li>
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

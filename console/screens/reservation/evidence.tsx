import type { Reservation } from '../../api/types.js';
import { Icon } from '../../design/icon.js';
import { gradeIcons } from '../../design/meanings.js';
import { Moment } from '../../design/time.js';
import { t, textOf } from '../../texts/index.js';

type Status = Reservation['status'];
type Grade = NonNullable<Status['grade']>;
type Source = NonNullable<Status['source']>;

/** Why something is believed, on what source, since when. */
export interface Evidence {
  grade: Grade | null;
  source: Source | null;
  at: string | null;
}

/** The grade as an icon and a word, its source with a link, and since when. */
export function EvidenceMark({ of: { grade, source, at } }: { of: Evidence }) {
  if (grade === null) return null;
  return (
    <span class="evidence" title={t(`grade:${grade}.hint`)}>
      <Icon name={gradeIcons[grade]} />
      <span>{t(`grade:${grade}`)}</span>
      {source !== null && <SourceName source={source} />}
      {at !== null && <Moment at={at} />}
    </span>
  );
}

function SourceName({ source: { kind, id } }: { source: Source }) {
  if (kind === 'event') return <a href={`/in?id=${encodeURIComponent(id)}`}>{t('source.event', { id })}</a>;
  if (kind === 'inference') return <span>{t('source.inference', { status: textOf('status', id) })}</span>;
  if (kind === 'command') return <span>{t('source.command', { id: id.slice(0, 8) })}</span>;
  return <span>{kind === 'person' ? t('source.person', { id }) : t('source.schedule', { id })}</span>;
}

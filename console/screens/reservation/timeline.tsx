import { endpoints } from '../../api/endpoints.js';
import { readPages } from '../../api/read-pages.js';
import type { Reservation, TimelineEntry } from '../../api/types.js';
import { Icon, type IconName } from '../../design/icon.js';
import { Empty, Load } from '../../design/load.js';
import { Panel } from '../../design/panel.js';
import { Moment, readable } from '../../design/time.js';
import { isAbout } from '../../live/changes.js';
import { useResource } from '../../state/resource.js';
import { t, textOf } from '../../texts/index.js';

const icons: Record<TimelineEntry['kind'], IconName> = {
  event: 'inbox',
  command: 'commanded',
  timer: 'wait',
  decision: 'asserted',
};

/** The story of the reservation, newest first; each entry opens to its rule, its data and its callback. */
export function TimelinePanel({ reservation: { reservationId } }: { reservation: Reservation }) {
  const timeline = useResource(`timeline ${reservationId}`, {
    // the API has the oldest first, so all pages are read
    load: async () => (await readPages(endpoints.timeline, { params: { id: reservationId } })).items,
    concerns: (change) => isAbout(change, ['reservation'], reservationId),
  });
  return (
    <Panel title={t('timeline.title')} icon="now" isFlush>
      <Load of={timeline}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty>{t('timeline.empty')}</Empty>
          ) : (
            <ol class="timeline">
              {entries.toReversed().map((entry) => (
                <Entry key={entry.seq} entry={entry} />
              ))}
            </ol>
          )
        }
      </Load>
    </Panel>
  );
}

function Entry({ entry: { at, kind, rule, text, data } }: { entry: TimelineEntry }) {
  const inboxId = data.inboxId ?? data.event;
  return (
    <li class={`entry ${kind}`}>
      <Icon name={icons[kind]} />
      <details>
        <summary>
          <span class="soft small">
            <Moment at={at} withSeconds />
          </span>
          <span class="sentence">{readable(text)}</span>
        </summary>
        <dl class="small data">
          <div>
            <dt>{t('timeline.kind')}</dt>
            <dd>{textOf('kind', kind)}</dd>
          </div>
          <div>
            <dt>{t('timeline.rule')}</dt>
            <dd class="mono">{rule}</dd>
          </div>
          {Object.entries(data).map(([name, value]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="mono">{String(value)}</dd>
            </div>
          ))}
        </dl>
        {kind === 'event' && inboxId != null && (
          <a class="small" href={`/in?id=${inboxId}`}>
            {t('source.event', { id: String(inboxId) })}
          </a>
        )}
      </details>
    </li>
  );
}

import type { Reservation } from '../../api/types.js';
import { Panel } from '../../design/panel.js';
import { Moment } from '../../design/time.js';
import { t, textOf } from '../../texts/index.js';

/** What persons decided, and why. */
export function Decisions({ reservation: { decisions } }: { reservation: Reservation }) {
  if (decisions.length === 0) return null;
  return (
    <Panel title={t('decisions.title')} icon="asserted" isFlush>
      <ul>
        {decisions.map(({ at, by, about, reason }) => (
          <li key={`${at} ${about}`} class="item">
            <div class="grow">
              <p class="row wrap">
                <strong>{about === 'facts' ? t('decisions.facts') : textOf('attention', about)}</strong>
                <span class="soft small">
                  {by} · <Moment at={at} />
                </span>
              </p>
              <p>{reason ?? <span class="soft">{t('hidden.viewer')}</span>}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

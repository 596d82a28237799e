import type { Reservation } from '../../api/types.js';
import { Panel } from '../../design/panel.js';
import { Moment } from '../../design/time.js';
import { t, textOf } from '../../texts/index.js';
import { type Decided, decidedOn } from './decided.js';
import { personal } from './personal.js';

/** What persons decided, and why. */
export function Decisions({ reservation }: { reservation: Reservation }) {
  const all = decidedOn(reservation);
  if (all.length === 0) return null;
  return (
    <Panel title={t('decisions.title')} icon="asserted" isFlush>
      <ul>
        {all.map((one) => (
          <li key={`${one.at} ${one.is} ${one.about}`} class="item">
            <div class="grow">
              <p class="row wrap">
                <strong>{titleOf(one)}</strong>
                <span class="soft small">
                  {one.by} · <Moment at={one.at} />
                </span>
              </p>
              <p>{personal(one.reason)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function titleOf({ is, about, outcome = '' }: Decided): string {
  switch (is) {
    case 'facts':
      return t('decisions.facts');
    case 'attention':
      return textOf('attention', about);
    case 'override':
      return `${t('step.override')}: ${textOf('action', about)}`;
    case 'resolved':
      return `${t('done:command.resolve')}: ${textOf('action', about)}, ${textOf('command', outcome)}`;
  }
}

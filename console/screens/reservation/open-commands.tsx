import { useRef, useState } from 'preact/hooks';
import { ResolveCommand } from '../../actions/resolve-command.js';
import type { Command, Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Icon, type IconName } from '../../design/icon.js';
import { Panel } from '../../design/panel.js';
import { Moment, readable } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { may } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';

const icons: Record<Command['outcome'], IconName> = {
  queued: 'wait',
  out: 'commanded',
  waiting: 'wait',
  suspended: 'lock',
  applied: 'done',
  rejected: 'cancelled',
  unknown: 'unknown',
};

const toneOf = ({ outcome }: Command) =>
  outcome === 'unknown' ? 'warn-text' : outcome === 'rejected' ? 'bad-text' : 'soft';

/** For so long a rejection is shown beside the open commands. */
const rejectedForMs = 15 * 60_000;

function isShown({ outcome, settledAt }: Command): boolean {
  if (outcome === 'rejected') return settledAt !== null && now.value - Date.parse(settledAt) < rejectedForMs;
  return outcome !== 'applied';
}

/** Commands without an outcome, and those just rejected, with what is awaited; an unknown one is resolved here. */
export function OpenCommands({ reservation }: { reservation: Reservation }) {
  const { reservationId, commands, closed } = reservation;
  const [resolved, setResolved] = useState<Command | null>(null);
  // one that is applied while it is on the screen stays, as applied: nothing below it moves
  const seen = useRef(new Set<string>()).current;
  const open = commands.filter((command) => isShown(command) || seen.has(command.commandId));
  for (const { commandId } of open) seen.add(commandId);
  if (open.length === 0) return null;
  return (
    <Panel title={t('commands.open')} icon="commanded" count={open.length} isFlush>
      <ul>
        {open.map((command) => (
          <li key={command.commandId} class="item">
            <Icon name={icons[command.outcome]} />
            <div class="grow">
              <p class="row wrap">
                <strong>{textOf('action', command.action)}</strong>
                <span class={toneOf(command)}>{textOf('command', command.outcome)}</span>
                {command.code !== null && <span class="mono small">{command.code}</span>}
              </p>
              <p>{readable(command.message ?? textOf('awaited', command.outcome))}</p>
              <p class="soft small row wrap">
                <span>{command.by}</span> <Moment at={command.at} />
                <span>{t('commands.attempts', { n: command.attempts })}</span>
                <span class="mono">{command.commandId.slice(0, 8)}</span>
              </p>
            </div>
            {command.outcome === 'unknown' && may('manager') && !closed && (
              <Button shortcut="u" onClick={() => setResolved(command)}>
                {t('commands.resolve')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {resolved !== null && (
        <ResolveCommand reservationId={reservationId} command={resolved} onClose={() => setResolved(null)} />
      )}
    </Panel>
  );
}

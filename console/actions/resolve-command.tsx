import { endpoints } from '../api/endpoints.js';
import type { Command } from '../api/types.js';
import { t, textOf } from '../texts/index.js';
import { ReasonDialog } from './reason-dialog.js';
import { textIn } from './text-in.js';

interface ResolveCommandProps {
  reservationId: number;
  command: Pick<Command, 'commandId' | 'action'>;
  onClose(): void;
}

/** A manager states what became of a command, with a reason. */
export function ResolveCommand({ reservationId, command, onClose }: ResolveCommandProps) {
  return (
    <ReasonDialog
      title={t('commands.resolveTitle', { action: textOf('action', command.action) })}
      submit={t('commands.resolve')}
      reservationId={reservationId}
      endpoint={endpoints.resolveCommand}
      params={{ commandId: command.commandId }}
      body={(data) => ({ outcome: textIn(data, 'outcome') })}
      onClose={onClose}
    >
      <p>{t('commands.resolveHint')}</p>
      {(['applied', 'rejected'] as const).map((outcome) => (
        <label key={outcome} class="check">
          <input type="radio" name="outcome" value={outcome} required /> {t(`commands.resolve:${outcome}`)}
        </label>
      ))}
    </ReasonDialog>
  );
}

import { useRef } from 'preact/hooks';
import { endpoints } from '../api/endpoints.js';
import type { Command } from '../api/types.js';
import { Dialog } from '../design/dialog.js';
import { Load } from '../design/load.js';
import { useReservation } from '../state/reservation.js';
import { t, textOf } from '../texts/index.js';
import { ReasonDialog } from './reason-dialog.js';
import { ResolveCommand } from './resolve-command.js';

interface ResolveAttentionProps {
  reservationId: number;
  kind: string;
  onClose(): void;
}

/** A manager resolves an attention item, with a reason. */
export function ResolveAttention(props: ResolveAttentionProps) {
  return props.kind === 'command-unknown' ? <ResolveUnknown {...props} /> : <ResolveItem {...props} />;
}

function ResolveItem({ reservationId, kind, onClose }: ResolveAttentionProps) {
  return (
    <ReasonDialog
      title={t('owner.resolveTitle', { kind: textOf('attention', kind) })}
      submit={t('owner.resolveItem')}
      reservationId={reservationId}
      endpoint={endpoints.resolveAttention}
      params={{ kind }}
      onClose={onClose}
    />
  );
}

/** What became of the command is the way to resolve it: without the item, the command would still be unknown (L24). */
function ResolveUnknown(props: ResolveAttentionProps) {
  const { reservationId, onClose } = props;
  const reservation = useReservation(reservationId);
  const chosen = useRef<Command | undefined>(undefined);
  const state = reservation.state.value;
  if (state.is !== 'ready')
    return (
      <Dialog title={t('commands.resolve')} onClose={onClose}>
        <Load of={reservation}>{() => null}</Load>
      </Dialog>
    );
  // the form stays of the same command once that is resolved
  chosen.current ??= state.data.commands.find(({ outcome }) => outcome === 'unknown');
  return chosen.current === undefined ? (
    <ResolveItem {...props} />
  ) : (
    <ResolveCommand reservationId={reservationId} command={chosen.current} onClose={onClose} />
  );
}

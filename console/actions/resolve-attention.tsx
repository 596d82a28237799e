import { endpoints } from '../api/endpoints.js';
import { t, textOf } from '../texts/index.js';
import { ReasonDialog } from './reason-dialog.js';

interface ResolveAttentionProps {
  reservationId: number;
  kind: string;
  onClose(): void;
}

/** A manager resolves an attention item, with a reason. */
export function ResolveAttention({ reservationId, kind, onClose }: ResolveAttentionProps) {
  return (
    <ReasonDialog
      title={t('attention.resolveTitle', { kind: textOf('attention', kind) })}
      submit={t('attention.resolve')}
      reservationId={reservationId}
      endpoint={endpoints.resolveAttention}
      params={{ kind }}
      onClose={onClose}
    />
  );
}

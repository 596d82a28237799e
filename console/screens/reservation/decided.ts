import type { Reservation } from '../../api/types.js';

/** Something that a person decided, and why. */
export interface Decided {
  at: string;
  by: string;
  /** Facts, an attention item, or the command that was overridden or resolved. */
  about: string;
  is: 'facts' | 'attention' | 'override' | 'resolved';
  outcome?: string;
  /** Null: hidden from viewers, or no longer stored. */
  reason: string | null;
}

/** Decisions, overrides and resolved outcomes of a reservation; the newest first. */
export function decidedOn({ decisions, commands }: Pick<Reservation, 'decisions' | 'commands'>): Decided[] {
  const all = [
    ...decisions.map((one): Decided => ({ ...one, is: one.about === 'facts' ? 'facts' : 'attention' })),
    ...commands.flatMap(
      ({ action, by, at, override, resolvedBy, settledAt, outcome, message }): Decided[] => [
        ...(override === null
          ? []
          : [{ at, by, about: action, is: 'override' as const, reason: override.reason }]),
        ...(resolvedBy !== undefined && settledAt !== null
          ? [
              {
                at: settledAt,
                by: resolvedBy,
                about: action,
                is: 'resolved' as const,
                outcome,
                reason: message,
              },
            ]
          : []),
      ],
    ),
  ];
  return all.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

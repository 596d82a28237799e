import type { HoldFacts } from '../../domain/hold/index.js';
import type { KnownHold } from '../../temporal/client/holds/types.js';
import type { WriteMoment } from '../http/moments.js';
import type { Rendered } from '../http/sentences.js';
import type { VisibleHold } from './schemas.js';

/** A hold as lists show it. */
export function holdItem({ period, createdAt, endedAt, ...item }: HoldFacts, write: WriteMoment) {
  return {
    ...item,
    period: { start: write(period.start), end: write(period.end) },
    createdAt: write(createdAt),
    endedAt: endedAt === null ? null : write(endedAt),
  };
}

/** L60: a hold as a viewer sees it: without texts of persons and of the platform. */
export function holdWithoutPersonalData(hold: Rendered<KnownHold>): VisibleHold {
  const withoutTexts = <T extends { message: string; platformMessage?: string }>({
    platformMessage: _,
    ...rest
  }: T) => ({ ...rest, message: null });
  return {
    ...hold,
    reason: null,
    attention: hold.attention.map(withoutTexts),
    refused: hold.refused === null ? null : withoutTexts(hold.refused),
    commands: hold.commands.map((command) => ({
      ...command,
      refused: command.refused === null ? null : withoutTexts(command.refused),
    })),
  };
}

import { type HandoverDatabase, openHandoverDatabase } from '../../store/handover.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/** Handover's own database: a server at `url`, or embedded in `folder`. @throws DatabaseError */
export function openDatabase(
  { measures: { onStatement }, log }: Pick<Setting, 'measures' | 'log'>,
  stack: Stack,
  place: { url?: string | undefined; folder: string; ownThread?: boolean },
): Promise<HandoverDatabase> {
  return stack.start(
    'database',
    () => openHandoverDatabase({ ...place, log, onStatement }),
    (open) => open.close(),
  );
}

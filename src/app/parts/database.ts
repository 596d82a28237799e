import { type HandoverDatabase, openHandoverDatabase } from '../../store/handover.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/** Handover's own database: a server at `url`, or embedded in `folder`. @throws DatabaseError */
export function openDatabase(
  { measures: { onStatement } }: Pick<Setting, 'measures'>,
  stack: Stack,
  place: { url?: string | undefined; folder: string },
): Promise<HandoverDatabase> {
  return stack.start(
    'database',
    () => openHandoverDatabase({ ...place, onStatement }),
    (open) => open.close(),
  );
}

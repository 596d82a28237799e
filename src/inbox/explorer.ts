import { listInbox } from '../store/callbacks/list.js';
import type { HandoverDb } from '../store/handover.js';
import type { ReadingTools } from './event/read-event.js';
import type { InboxWindow } from './explorer-types.js';
import { readInboxEvent } from './replay/inbox-event.js';
import { type AskForesight, foreseeReplay } from './replay/preview.js';
import { replay } from './replay/replay.js';

/** What people see and do of stored callbacks, over this database. */
export function createInboxWindow(
  db: HandoverDb,
  tools: ReadingTools & { ask: AskForesight; clock: () => number },
): InboxWindow {
  return {
    list: (filter) => listInbox(db, filter),
    read: (id) => readInboxEvent(db, tools, id),
    replay: (selection, order) => replay(db, tools, selection, { ...order, at: tools.clock() }),
    foresee: (selection) => foreseeReplay(db, tools, selection, tools.clock()),
  };
}

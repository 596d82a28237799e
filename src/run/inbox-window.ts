import type { InboxWindow } from '../api/window.js';
import type { HandoverDb } from '../db/handover.js';
import type { ReadingTools } from '../intake/read-event.js';
import { listInbox } from '../intake/reads.js';
import { type AskForesight, foreseeReplay } from '../intake/window/foresee.js';
import { readInboxEvent } from '../intake/window/inbox-event.js';
import { replay } from '../intake/window/replay.js';

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

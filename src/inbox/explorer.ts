import type { Answers } from '../store/answers.js';
import { listInbox } from '../store/callbacks/list.js';
import type { InboxFilter, ReplaySelection } from '../store/callbacks/types.js';
import type { HandoverDb } from '../store/handover.js';
import type { ReadingTools } from './event/read-event.js';
import { readInboxEvent } from './replay/inbox-event.js';
import { type PreviewEvents, previewReplay } from './replay/preview.js';
import { type ReplayOrder, replay } from './replay/replay.js';

/** The inbox explorer: staff read and replay stored callbacks. */
export function createInboxExplorer(
  db: HandoverDb,
  tools: ReadingTools & { previewEvents: PreviewEvents; answers: Answers; clock: () => number },
) {
  return {
    /** Newest first. */
    list: (filter: InboxFilter) => listInbox(db, filter),
    /** Undefined: no such event. */
    read: (id: number) => readInboxEvent(db, tools, id),
    /** Reads events again and sends them to their workflows; audited. @throws `CursorError` */
    replay: (selection: ReplaySelection, order: Omit<ReplayOrder, 'at'>) =>
      replay(db, tools, selection, { ...order, at: tools.clock() }),
    /** What `replay` would do; nothing is changed. @throws `EngineUnavailableError`, `CursorError` */
    preview: (selection: ReplaySelection) => previewReplay(db, tools, selection, tools.clock()),
  };
}
export type InboxExplorer = ReturnType<typeof createInboxExplorer>;

import { inArray } from 'drizzle-orm';
import type { EventPreview, ReservationEvent } from '../../domain/reservation/index.js';
import type { ReplayPreview, ReplayPreviews, ReplaySelection, Skipped } from '../../store/callbacks/types.js';
import type { HandoverDb } from '../../store/handover.js';
import { caseFiles } from '../../store/schema.js';
import { type ReadingTools, readEvent } from '../event/read-event.js';
import { candidates } from './candidates.js';
import { hindrance } from './replay.js';

/** The effect of events on a reservation. `closed`: it accepts none any more; `refused`: its workflow is broken. */
type Preview =
  | { kind: 'preview'; answers: EventPreview[] }
  | { kind: 'closed' }
  | { kind: 'refused'; code: string };

/** Queries a reservation for the effect of events that arrived now, in their order; nothing is stored. */
export type PreviewEvents = (
  reservationId: number,
  events: ReservationEvent[],
  context: { hasCaseFile: boolean; now: number },
) => Promise<Preview>;

interface Readable {
  place: number;
  event: ReservationEvent;
}

const mostEvents = 100;
/** The most bytes of one query. */
const mostBytes = 512 * 1024;
const previewedTogether = 8;

/**
 * Previews a replay of these events: those of each reservation one after the other, applied to its present state. A page
 * has fewer events than a replay, because each reservation is queried. The next page starts from the present state again.
 */
export async function previewReplay(
  db: HandoverDb,
  tools: ReadingTools & { previewEvents: PreviewEvents },
  selection: ReplaySelection,
  now: number,
  { limit = mostEvents }: { limit?: number } = {},
): Promise<ReplayPreviews> {
  const events: ReplayPreview[] = [];
  const skipped: Skipped[] = [];
  const byReservation = new Map<number, Readable[]>();
  let bytes = 0;
  let last: number | null = null;
  let nextCursor: string | null = null;
  for await (const candidate of candidates(db, selection, limit + 1, now)) {
    const { id, state, verdict, rule } = candidate;
    const reading = readEvent({ ...candidate, replays: candidate.replays + 1 }, tools);
    bytes += JSON.stringify(reading.event).length;
    if (last !== null && (events.length + skipped.length === limit || bytes > mostBytes)) {
      nextCursor = String(last);
      break;
    }
    last = id;
    const code = hindrance(candidate, reading, now);
    if (code !== null) {
      skipped.push({ id, code });
      continue;
    }
    const reservationId = reading.reservationId ?? candidate.reservationId;
    const invalid = { foreseen: { verdict: 'invalid', rule: 'L63' } as const, changes: [] };
    events.push({
      id,
      reservationId,
      state,
      verdict,
      rule,
      ...invalid,
      code: reading.unreadable?.code ?? null,
    });
    if (reading.event === null || reservationId === null) continue;
    const readable = byReservation.get(reservationId) ?? [];
    byReservation.set(reservationId, readable);
    readable.push({ place: events.length - 1, event: reading.event });
  }
  await previewAll(db, tools.previewEvents, byReservation, events, now);
  return { events, skipped, nextCursor };
}

async function previewAll(
  db: HandoverDb,
  previewOne: PreviewEvents,
  byReservation: ReadonlyMap<number, Readable[]>,
  events: ReplayPreview[],
  now: number,
): Promise<void> {
  const closed = await readClosed(db, [...byReservation.keys()]);
  const waiting = [...byReservation];
  while (waiting.length > 0) {
    await Promise.all(
      waiting.splice(0, previewedTogether).map(async ([reservationId, readable]) => {
        const hasCaseFile = closed.has(reservationId);
        const ofReservation = readable.map(({ event }) => event);
        const preview = await previewOne(reservationId, ofReservation, { hasCaseFile, now });
        for (const [index, { place }] of readable.entries()) {
          const about = events[place];
          if (about !== undefined) Object.assign(about, answerOf(preview, index));
        }
      }),
    );
  }
}

function answerOf(preview: Preview, index: number): Pick<ReplayPreview, 'foreseen' | 'code' | 'changes'> {
  switch (preview.kind) {
    case 'closed':
      return { foreseen: { verdict: 'after-terminal', rule: 'L08' }, code: null, changes: [] };
    case 'refused':
      return { foreseen: null, code: preview.code, changes: [] };
    default: {
      const { verdict, rule, changes } = preview.answers[index] as EventPreview;
      return { foreseen: { verdict, rule }, code: null, changes };
    }
  }
}

async function readClosed(db: HandoverDb, reservationIds: number[]): Promise<Set<number>> {
  if (reservationIds.length === 0) return new Set();
  const found = await db
    .select({ reservationId: caseFiles.reservationId })
    .from(caseFiles)
    .where(inArray(caseFiles.reservationId, reservationIds));
  return new Set(found.map(({ reservationId }) => reservationId));
}

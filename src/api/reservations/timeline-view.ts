import type { z } from 'zod';
import type { StoredEntry } from '../../store/reservations/timeline.js';
import type { WriteMoment } from '../http/moments.js';
import type { Render } from '../http/sentences.js';
import type { timelineEntry } from './list-schemas.js';

/** A timeline entry in the caller's language; one that an earlier release stored has its English text. */
export function toTimelineEntry(
  { messages, text, at, ...entry }: StoredEntry,
  write: WriteMoment,
  render: Render,
): z.output<typeof timelineEntry> {
  return { ...entry, at: write(at), text: (messages ?? [text]).map(render).join(' ') };
}

import { type Message, renderer } from '../../shared/message.js';
import { entries } from './en/entries.js';

/**
 * The English text of a timeline entry, or of another sentence that the workflow itself shows. Identities of stored entries and
 * alerts rest on it (`identityOf`), so it is part of the entry.
 */
export function englishText(messages: readonly Message[], zoneOffsetMinutes: number): string {
  return messages.map(renderer(entries, zoneOffsetMinutes)).join(' ');
}

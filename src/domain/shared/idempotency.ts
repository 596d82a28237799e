import { fingerprint } from './hash.js';
import type { Sentence } from './message.js';

// One request of a person acts once per `Idempotency-Key` (L21): the same key with the same content has the first answer, with
// other content it is refused. A mark stands for the content where the content itself is not stored. Equal marks can be guessed
// at: they are stored encrypted (L60).

/** What a key stands for, as it is stored. */
export interface KeyMark {
  key: string;
  mark: string;
}

/**
 * The mark of a request to a workflow.
 * @param name of the request: the same body under another name is another request
 * @param input who sent it, and its key, are no part of its content
 */
export function markOf(name: string, input: object): string {
  const { by: _by, settlementId: _key, ...content } = input as { by?: string; settlementId?: string };
  return fingerprint([name, content]);
}

/** What a request is to those before it: its key is new, stands for the same content, or for another. */
export type Standing = 'new' | 'same' | 'other';

/** @param known what its key stands for; without a mark, as earlier versions stored it, for any content */
export function standingOf(known: { mark?: string | undefined } | undefined, mark: string): Standing {
  if (known === undefined) return 'new';
  return known.mark === undefined || known.mark === mark ? 'same' : 'other';
}

export function keyReused(): { code: 'COMMAND_ID_REUSED'; message: Sentence } {
  return { code: 'COMMAND_ID_REUSED', message: { code: 'refused.key-reused', data: {} } };
}

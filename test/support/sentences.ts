import { type Rendered, rendered, sentencesIn } from '../../src/api/http/sentences.js';
import { attentionMessage, type Subject } from '../../src/domain/reservation/attention-messages.js';
import { raisedAlert } from '../../src/domain/reservation/messages/alerts.js';
import type { AttentionKind } from '../../src/domain/reservation/types.js';

/** What a person reads, in the zone of the tests. */
export const inEnglish = sentencesIn('en', 540);
export const inKorean = sentencesIn('ko', 540);

/** A value with its sentences in English. */
export function read<T>(value: T): Rendered<T> {
  return rendered(value, inEnglish);
}

/** Both texts of an attention item. */
export function attentionTexts(kind: AttentionKind, rule: string, subject: Subject) {
  return {
    person: inEnglish(attentionMessage(kind, subject)),
    operations: raisedAlert(kind, rule, subject),
  };
}

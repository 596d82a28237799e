import { ErasedKeys } from './erased-keys.js';
import type { Message } from './message.js';

/**
 * Fields whose texts are ids, codes, names of facts, or names of those who acted. The text of every other field is taken for
 * personal, so that a field that is added later is erased too.
 */
const impersonal: ReadonlySet<string> = new Set(
  `about action activity_id activity_type attempt attention by carNumber change channel code codes command commandId
  display endDate field grade holdId id idempotencyKey identity key kind known malformed marks missing number
  originalRunId outcome overruled proposalId recorded role roles rule run runId saleYn scan series settled settledBy
  settlementId skipped source startDate state status subject type verdict wanted zone`.split(/\s+/),
);
/** What Handover itself writes into a text, and recognises it by. */
const tags = /(\[hold [\w.:-]+\]|\[reservation \d+\])/;

const webAddress = /^https?:\/\//i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Puts a tombstone in the place of each personal text, for the payloads of one history: the same text has the same tombstone
 * everywhere, so that a workflow that compares values decides as before when it is replayed. Numbers, truth values and
 * the form of an object stay.
 */
export class Tombstones {
  private readonly numbers = new Map<string, number>();
  private readonly keys = new ErasedKeys((text) => this.numberOf(text));

  /**
   * Before the first of several values that belong together is replaced: a fingerprint in one of them may be of what another states.
   * @param value JSON
   */
  learn(value: unknown): void {
    this.replaceIn(value, undefined);
  }

  /** @param value JSON */
  replace(value: unknown): unknown {
    return this.replaceIn(value, undefined);
  }

  private replaceIn(value: unknown, field: string | undefined): unknown {
    const replaced = this.replaceValue(value, field);
    this.keys.learn(field, value, replaced);
    return replaced;
  }

  private replaceValue(value: unknown, field: string | undefined): unknown {
    if (typeof value === 'string') return this.replaceText(value, field);
    if (Array.isArray(value)) return value.map((one) => this.replaceIn(one, field));
    if (value === null || typeof value !== 'object' || isMessage(value)) return value;
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      // a record by codes, such as the newest content of each channel, has the field of the record
      this.replaceIn(one, typeof one === 'string' && field === 'newest' ? field : name),
    ]);
    return this.keys.replaceIn(value, Object.fromEntries(entries), field);
  }

  private replaceText(text: string, field: string | undefined): string {
    if (text === '' || instant.test(text) || (field !== undefined && impersonal.has(field))) return text;
    const key = this.keys.replaceText(text, field);
    if (key !== undefined) return key;
    if (field === 'urlBefore' && text === 'unclear') return text;
    if (webAddress.test(text)) return `https://erased.invalid/${this.numberOf(text)}`;
    const parts = text.split(tags).map((part, index) => {
      const words = part.trim();
      return index % 2 === 1 || words === ''
        ? part
        : part.replace(words, () => `[erased ${this.numberOf(words)}]`);
    });
    return parts.join('');
  }

  private numberOf(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size + 1;
    this.numbers.set(text, number);
    return number;
  }
}

/** A sentence as code and data, which names no person (see `Message`). */
function isMessage(value: object): boolean {
  const { code, data } = value as Partial<Message>;
  return typeof code === 'string' && typeof data === 'object' && Object.keys(value).length === 2;
}

import { fingerprint } from './hash.js';
import type { Message } from './message.js';

/**
 * Fields whose texts are ids, codes, names of facts, or names of those who acted. The text of every other field is taken for
 * personal, so that a field that is added later is erased too.
 */
const impersonal: ReadonlySet<string> = new Set(
  `about action activity_id activity_type attempt attention by carNumber change channel code codes command commandId
  contentHash display endDate eventId field grade holdId id idempotencyKey identity key kind known malformed marks missing
  newest number originalRunId outcome overruled proposalId recorded role roles rule run runId saleYn scan seen series settled
  settledBy settlementId skipped source startDate state status subject type verdict wanted zone`.split(/\s+/),
);
/** What Handover itself writes into a text, and recognises it by. */
const tags = /(\[hold [\w.:-]+\]|\[reservation \d+\])/;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Puts a tombstone in the place of each personal text, for the payloads of one history: the same text has the same tombstone
 * everywhere, so that a workflow that compares values decides as before when it is replayed. Numbers, truth values and
 * the form of an object stay.
 */
export class Tombstones {
  private readonly numbers = new Map<string, number>();

  /** @param value JSON */
  replace(value: unknown): unknown {
    return this.replaceIn(value, undefined);
  }

  private replaceIn(value: unknown, field: string | undefined): unknown {
    if (typeof value === 'string') return this.replaceText(value, field);
    if (Array.isArray(value)) return value.map((one) => this.replaceIn(one, field));
    if (value === null || typeof value !== 'object' || isMessage(value)) return value;
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      // a record by codes, such as the newest content of each channel, has the field of the record
      this.replaceIn(one, typeof one === 'string' && field === 'newest' ? field : name),
    ]);
    const replaced = Object.fromEntries(entries);
    return 'claims' in value ? withoutFingerprints(value as FactLike, replaced) : replaced;
  }

  private replaceText(text: string, field: string | undefined): string {
    if (text === '' || instant.test(text) || (field !== undefined && impersonal.has(field))) return text;
    if (field === 'imageUrl') return `https://erased.invalid/${this.numberOf(text)}`;
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

interface FactLike {
  claims: { key: string; value: unknown }[];
  known?: string[];
  overruled?: string[];
}

/** A fingerprint can be compared with guesses: of a personal value, that of its tombstone takes its place. */
function withoutFingerprints(before: FactLike, after: FactLike): FactLike {
  const keys = new Map<string, string>();
  const claims = after.claims.map((claim, index) => {
    const was = before.claims[index];
    if (was === undefined || JSON.stringify(was.value) === JSON.stringify(claim.value)) return claim;
    const key = fingerprint(claim.value);
    keys.set(was.key, key);
    return { ...claim, key };
  });
  if (keys.size === 0) return after;
  const replaced = (all: string[]) => all.map((key, index) => keys.get(key) ?? `erased${index}`);
  return {
    ...after,
    claims,
    ...(before.known !== undefined && { known: replaced(before.known) }),
    ...(before.overruled !== undefined && { overruled: replaced(before.overruled) }),
  };
}

import { fingerprint } from './hash.js';
import { markOf } from './idempotency.js';

/** Facts whose values are ids, times and number plates: nothing in them is erased, and their fingerprints stay. */
const impersonalFacts: ReadonlySet<string> = new Set(
  'car createdAt drivingEnd drivingStart parkingLotType period productId'.split(' '),
);
/** Where events, bookings and commands have the values of the other facts. */
const statedIn: ReadonlySet<string> = new Set(
  'companion company driver imageUrl memo parkingMemo pickupAddress pickupMemo service'.split(' '),
);
/** An event without an id of its sender: its id begins with a hash of its content, under a key of ours. */
const contentId = /^content:[0-9a-f]{64}/;

interface Claim {
  key: string;
  value: unknown;
}
interface Fact {
  claims: Claim[];
  known?: string[];
  overruled?: string[];
}

/**
 * Fingerprints and hashes of personal values can be compared with guesses. In the place of each comes that of the tombstone, which is
 * what a workflow computes when it is replayed: what was equal before is equal after.
 */
export class ErasedKeys {
  private readonly keys = new Map<string, string>();
  /** Values of facts, by the fingerprints of those that they replace. */
  private readonly values = new Map<string, unknown>();

  /** @param numberOf numbers texts: the same text has the same number */
  constructor(private readonly numberOf: (text: string) => number) {}

  /** Notes what stands in the place of a value. */
  learn(field: string | undefined, before: unknown, after: unknown): void {
    const isStated = field !== undefined && statedIn.has(field);
    if (isStated || field === 'eventId') this.keys.set(fingerprint(before), fingerprint(after));
    if (isStated) this.values.set(fingerprint(before), after);
    if (isRequest(before)) {
      const { action, body } = after as Request;
      this.keys.set(markOf(before.action, before.body), markOf(action, body));
    }
  }

  /** In the place of a text that is a fingerprint or hash; undefined: it is another text. */
  replaceText(text: string, field: string | undefined): string | undefined {
    switch (field) {
      case 'contentHash':
        return this.contentOf(fingerprint(text));
      case 'newest':
        return fingerprint(this.contentOf(text));
      case 'eventId':
        return text.replace(contentId, (id) => `content:${this.contentOf(id)}`);
      case 'seen':
        return this.keyOf(text);
      default:
        // of commands and settlements
        return this.keys.get(text);
    }
  }

  /** @param before the same object with its personal texts */
  replaceIn(before: object, after: object, field: string | undefined): object {
    if (isFact(before)) return this.replaceInFact(before, after as Fact, field);
    if (isNote(before)) return this.replaceInNote(before, after as Note);
    return after;
  }

  private replaceInFact(before: Fact, after: Fact, field: string | undefined): Fact {
    if (field !== undefined && impersonalFacts.has(field)) return after;
    const claims = after.claims.map((claim, index) => {
      const { key } = before.claims[index] as Claim;
      // a long value was shortened, which its tombstone is not when a run is replayed
      const value = this.values.has(key) ? this.values.get(key) : claim.value;
      return { ...claim, value, key: this.noteKey(key, fingerprint(value)) };
    });
    const replaced = (all: string[]) => all.map((key) => this.keyOf(key));
    return {
      ...after,
      claims,
      ...(before.known !== undefined && { known: replaced(before.known) }),
      ...(before.overruled !== undefined && { overruled: replaced(before.overruled) }),
    };
  }

  private replaceInNote(before: Note, after: Note): Note {
    const { text, carId } = after;
    const key = text === null ? this.keyOf(before.key) : this.noteKey(before.key, fingerprint([carId, text]));
    return { ...after, key };
  }

  private noteKey(before: string, after: string): string {
    const key = this.keys.get(before) ?? after;
    this.keys.set(before, key);
    return key;
  }

  /** Of a value that nothing states any more, no tombstone has the key. */
  private keyOf(key: string): string {
    return this.keys.get(key) ?? `erased-${this.numberOf(`key ${key}`)}`;
  }

  private contentOf(key: string): string {
    return `[content ${this.numberOf(`content ${key}`)}]`;
  }
}

interface Request {
  action: string;
  body: object;
}
function isRequest(value: unknown): value is Request {
  if (value === null || typeof value !== 'object') return false;
  const { action, body } = value as Partial<Request>;
  return typeof action === 'string' && typeof body === 'object' && body !== null;
}

function isFact(value: object): value is Fact {
  return 'claims' in value;
}

/** Of the state: its key is the fingerprint of car and text. */
interface Note {
  carId: number | null;
  key: string;
  text: string | null;
}
function isNote(value: object): value is Note {
  return 'key' in value && 'text' in value && 'memoId' in value;
}

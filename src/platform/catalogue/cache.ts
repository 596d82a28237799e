import { LRUCache } from 'lru-cache';
import { CatalogueError } from './error.js';

/** What was read, when the reading began, and how old that makes it. */
export interface Read<T> {
  value: T;
  /** Instant. */
  asOf: number;
  ageMs: number;
  /** Code of the failed reading after it; null: it is fresh. */
  staleBecause: string | null;
}

interface Cached {
  value: unknown;
  asOf: number;
  weight: number;
  failure: { code: string; until: number } | null;
}

export interface CacheOptions {
  /** So old it may be without a question. */
  freshMs: number;
  /** So old it may be where the platform cannot be read. */
  staleMs: number;
  /** Most objects stored, all values together; the least recently used ones are evicted first. */
  mostObjects: number;
  now(): number;
}

/** So much of its time an answer is fresh before it is read anew while it is still given. */
const aheadFrom = 0.75;
/** After a failed reading the next waits so long, unless the platform says how long. */
const pauseMs = 5_000;

/**
 * Answers of the platform by key. Concurrent requests for a key share one reading; an answer that was invalidated
 * meanwhile is served to no later request (F24).
 */
export class ReadCache {
  private readonly cached: LRUCache<string, Cached>;
  private readonly reading = new Map<string, Promise<Cached>>();

  constructor(private readonly options: CacheOptions) {
    this.cached = new LRUCache({ maxSize: options.mostObjects, sizeCalculation: ({ weight }) => weight });
  }

  /**
   * @param weigh how many objects the value holds
   * @throws `CatalogueError` where it cannot be read, and nothing of a bounded age is there
   */
  async read<T>(
    key: string,
    load: () => Promise<T>,
    weigh: (value: T) => number = () => 1,
  ): Promise<Read<T>> {
    const known = this.cached.get(key);
    const age = this.options.now() - (known?.asOf ?? 0);
    const failure = known?.failure ?? null;
    const isLeftAlone = failure !== null && this.options.now() < failure.until;
    if (known !== undefined && age < this.options.freshMs) {
      if (age >= this.options.freshMs * aheadFrom && !isLeftAlone) this.readAhead(key, load, weigh);
      return this.asRead<T>(known, null);
    }
    if (known !== undefined && isLeftAlone && this.isUsable(known)) {
      return this.asRead<T>(known, failure.code);
    }
    try {
      return this.asRead<T>(await this.refresh(key, load, weigh), null);
    } catch (error) {
      return this.insteadOf<T>(key, error);
    }
  }

  /** Drops what `concerns` picks by its key, also what is being read just now. */
  forget(concerns: (key: string) => boolean): void {
    for (const key of [...this.cached.keys()]) if (concerns(key)) this.cached.delete(key);
    for (const key of this.reading.keys()) if (concerns(key)) this.reading.delete(key);
  }

  private refresh<T>(key: string, load: () => Promise<T>, weigh: (value: T) => number): Promise<Cached> {
    const underWay = this.reading.get(key);
    if (underWay !== undefined) return underWay;
    const asOf = this.options.now();
    const reading: Promise<Cached> = load().then(
      (value) => {
        const read = { value, asOf, weight: Math.max(1, weigh(value)), failure: null };
        if (this.isCurrent(key, reading)) this.cached.set(key, read);
        return read;
      },
      (error: unknown) => {
        if (this.isCurrent(key, reading)) this.note(key, error);
        throw error;
      },
    );
    this.reading.set(key, reading);
    return reading;
  }

  /** Ends the reading; false: it was forgotten, and perhaps another has begun. */
  private isCurrent(key: string, reading: Promise<Cached>): boolean {
    return this.reading.get(key) === reading && this.reading.delete(key);
  }

  /** No request waits for it; a lasting error shows once the answer is too old. */
  private readAhead<T>(key: string, load: () => Promise<T>, weigh: (value: T) => number): void {
    if (this.reading.has(key)) return;
    this.refresh(key, load, weigh).catch(() => {});
  }

  private insteadOf<T>(key: string, error: unknown): Read<T> {
    const known = this.cached.get(key);
    if (known === undefined || !this.isUsable(known)) throw error;
    if (!(error instanceof CatalogueError) || !error.mayPass) throw error;
    return this.asRead<T>(known, error.code);
  }

  /** What a failed reading means for what is known: it is gone, or the platform is left alone for a while. */
  private note(key: string, error: unknown): void {
    const known = this.cached.get(key);
    if (known === undefined || !(error instanceof CatalogueError)) return;
    if (!error.mayPass) this.cached.delete(key);
    else known.failure = { code: error.code, until: this.options.now() + (error.retryAfterMs ?? pauseMs) };
  }

  private asRead<T>({ value, asOf }: Cached, staleBecause: string | null): Read<T> {
    return { value: value as T, asOf, ageMs: Math.max(0, this.options.now() - asOf), staleBecause };
  }

  private isUsable({ asOf }: Cached): boolean {
    return this.options.now() - asOf < this.options.staleMs;
  }
}

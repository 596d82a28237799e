import { LRUCache } from 'lru-cache';
import { CatalogueError } from './error.js';

/** A value read from the platform, with the time of the read and its age now. */
export interface Read<T> {
  value: T;
  /** Instant at which the read began. */
  asOf: number;
  ageMs: number;
  /** Error code of the latest read where that failed; null where the value is fresh. */
  staleBecause: string | null;
}

interface Cached {
  value: unknown;
  asOf: number;
  weight: number;
  failure: { code: string; until: number } | null;
}

export interface CacheOptions {
  /** Up to this age a value is served without a new read. */
  freshMs: number;
  /** Up to this age a value is served while the platform cannot be read. */
  staleMs: number;
  /** Limit on the objects of all values together. The least recently used values are evicted first. */
  mostObjects: number;
  now(): number;
}

/** After this share of `freshMs` a request still gets the stored value, and starts a new read in the background. */
const aheadFrom = 0.75;
/** Pause after a failed read, unless the platform sends a `Retry-After`. */
const pauseMs = 5_000;

/**
 * Answers of the platform by key. Concurrent requests for a key share one read. An answer that is invalidated during
 * its read is not served to a later request (F24).
 */
export class ReadCache {
  private readonly cached: LRUCache<string, Cached>;
  private readonly reading = new Map<string, Promise<Cached>>();

  constructor(private readonly options: CacheOptions) {
    this.cached = new LRUCache({ maxSize: options.mostObjects, sizeCalculation: ({ weight }) => weight });
  }

  /**
   * @param weigh how many objects the value holds
   * @throws `CatalogueError` where the read fails and no stored value is younger than `staleMs`
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

  /** Drops the values whose key matches `concerns`, and the results of reads that are in progress. */
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

  /** Removes the read from those in progress. False: `forget` dropped it, so its result must not be stored. */
  private isCurrent(key: string, reading: Promise<Cached>): boolean {
    return this.reading.get(key) === reading && this.reading.delete(key);
  }

  /** No request waits for this read, so its error is ignored. A lasting error appears once the value is too old. */
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

  /** A final error deletes the stored value; any other error pauses further reads. */
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

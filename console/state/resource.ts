import { computed, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import { type Change, connection, onChange } from '../live/changes.js';
import { language } from '../texts/index.js';
import { Cache } from './cache.js';
import { serviceTime } from './clock.js';
import { useCached } from './use-cached.js';

/** Two readings of one thing are at least so far apart. */
const readEveryMs = 250;
/** A reading takes a quarter of the time at most, so a service that many ask, and that is slow, is asked less often; this much less at most. */
const timesOfReading = 4;
const slowestEveryMs = 2_000;
/** While no changes arrive by the stream, or the last reading failed, what is on the screen is read so often. */
const pollEveryMs = 10_000;
/** So many that no screen shows stay. */
const mostUnused = 60;

/** How a screen shows it: the four states are never mixed. */
export type Loaded<Data> =
  | { is: 'loading' }
  | { is: 'error'; error: ApiError }
  /** `stale`: the newest reading failed; the data is as of then. */
  | { is: 'ready'; data: Data; stale: { since: number; error: ApiError } | null };

/** Something that the API shows, read again when it changes. */
export class Resource<Data> {
  private readonly data = signal<Data | undefined>(undefined);
  private readonly error = signal<ApiError | null>(null);
  private readAt = 0;
  private beganAt = 0;
  private tookMs = 0;
  private isReading = false;
  private isWanted = false;

  readonly state: Signal<Loaded<Data>> = computed(() => {
    const data = this.data.value;
    const error = this.error.value;
    if (data === undefined) return error === null ? { is: 'loading' } : { is: 'error', error };
    return { is: 'ready', data, stale: error && { since: this.readAt, error } };
  });

  constructor(
    private readonly load: () => Promise<Data>,
    /** Whether an answer replaces the data; answers may overtake each other. */
    private readonly isNewer: (next: Data, current: Data) => boolean = () => true,
    private readonly everyMs = readEveryMs,
  ) {}

  /** Reads it now, on changes, after a reconnect, and regularly while the page is visible. @returns stops it */
  follow({ concerns, visibleEveryMs }: Pick<Options<Data>, 'concerns' | 'visibleEveryMs'>): () => void {
    const refresh = () => void this.refresh();
    refresh();
    const stop = onChange((change) => {
      if (change.event === 'reset' || concerns(change)) refresh();
    });
    const poll = (everyMs: number, isDue: () => boolean) =>
      setInterval(() => isDue() && document.visibilityState === 'visible' && refresh(), everyMs);
    const polls = [poll(pollEveryMs, () => connection.value !== 'live' || this.error.peek() !== null)];
    if (visibleEveryMs !== undefined) polls.push(poll(visibleEveryMs, () => connection.value === 'live'));
    return () => {
      stop();
      for (const one of polls) clearInterval(one);
    };
  }

  /** Reads it now, or as soon as the last reading is long enough ago; while one is under way, one more follows it. */
  async refresh(): Promise<void> {
    if (this.isReading) {
      this.isWanted = true;
      return;
    }
    this.isReading = true;
    try {
      do {
        const slowed = Math.min(timesOfReading * this.tookMs, slowestEveryMs);
        // up to half more, so that pages that got the same change do not continue to read together
        const apart = Math.max(this.everyMs, slowed) * (1 + Math.random() / 2);
        await pause(this.beganAt + apart - Date.now());
        this.isWanted = false;
        this.beganAt = Date.now();
        await this.read();
        this.tookMs = Date.now() - this.beganAt;
      } while (this.isWanted);
    } finally {
      this.isReading = false;
    }
  }

  /** The data from another answer, such as that of an action. */
  accept(data: Data): void {
    const current = this.data.peek();
    if (current === undefined || this.isNewer(data, current)) this.data.value = data;
    this.readAt = serviceTime();
    this.error.value = null;
  }

  private async read(): Promise<void> {
    try {
      this.accept(await this.load());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.error.value = error;
    }
  }
}

const resources = new Cache<Resource<unknown>>(mostUnused);

interface Options<Data> {
  load(): Promise<Data>;
  isNewer?(next: Data, current: Data): boolean;
  /** Two readings are at least so far apart. */
  everyMs?: number;
  /** It is read so often while the page is visible, for what changes with time alone or is reported by no change. */
  visibleEveryMs?: number;
  /** Which changes call for another reading. */
  concerns(change: Change): boolean;
}

type Reads<Data> = Pick<Options<Data>, 'load' | 'isNewer' | 'everyMs'>;

/** The resource of this key; it lives on for a while when its screen is left. */
export function resourceOf<Data>(key: string, options: Reads<Data>): Resource<Data> {
  return resources.get(key, creates(options)) as Resource<Data>;
}

const creates =
  <Data>({ load, isNewer, everyMs }: Reads<Data>) =>
  () =>
    new Resource(load, isNewer, everyMs) as Resource<unknown>;

/** Loads it, and reads it again for as long as a component shows it, also in another language. */
export function useResource<Data>(key: string, options: Options<Data>): Resource<Data> {
  const resource = useCached(resources, key, creates(options)) as Resource<Data>;
  // the key stands for the options; the service writes its sentences in the user's language
  useEffect(() => resource.follow(options), [key, language.value]);
  return resource;
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => setTimeout(resolve, ms));
}

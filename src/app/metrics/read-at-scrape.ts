import { Gauge, type Registry } from 'prom-client';
import { shareRead } from '../../api/http/share-read.js';
import { within } from '../../store/connection/within.js';

/** Well below the time that Prometheus waits for a scrape: a read that a lock holds back costs its own gauges alone. */
const readWithinMs = 2_000;
/** A value that is not read in time is shown again for so long: alerts on a backlog must not end because the database is busy with it, or restarts. */
const lastForMs = 60_000;

/** One value of a gauge. */
interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

type AddGauge<T> = (
  name: string,
  help: string,
  value: (found: T) => number | readonly Sample[],
  labelNames?: readonly string[],
) => void;

/**
 * Gauges that are read when Prometheus asks. Where the read fails, or takes longer than 2 s, they have the last value, for a minute; where that
 * is older, they have none.
 * @param sharedForMs several gauges, and scrapes within this time, share one read
 * @returns a function that adds one of them
 */
export function readAtScrape<T>(
  registry: Registry,
  read: () => Promise<T>,
  sharedForMs = 1_000,
): AddGauge<T> {
  const readShared = latest(shareRead(oneAtATime(read), sharedForMs));
  return (name, help, value, labelNames = []) => {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const found = await readShared();
        this.reset();
        const values = found === undefined ? [] : value(found);
        // without labels a reset means 0
        if (labelNames.length === 0) this.remove();
        if (typeof values === 'number') this.set(values);
        else for (const sample of values) this.set(sample.labels ?? {}, sample.value);
      },
    });
  };
}

/** @returns what was read, or where that fails or is late what was read last; undefined: neither */
function latest<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let last: { value: T; at: number } | undefined;
  const remembered = () =>
    last !== undefined && performance.now() - last.at < lastForMs ? last.value : undefined;
  return async () => {
    const reading = read().then((value) => {
      last = { value, at: performance.now() };
      return value;
    });
    return within(readWithinMs, reading).catch(remembered);
  };
}

/** A late read is waited for: the next scrapes take no further connections. */
function oneAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

/** Limits of one process for requests from the network; times are milliseconds. */
export interface HttpLimits {
  /** At this bound, one that no known sender uses is closed (see `Connections`). */
  connections: number;
  /** Of one sender that has not proved itself. */
  connectionsEach: number;
  /** Streams of changes at one time; their connections are not among those above. */
  streams: number;
  /** How often a stream states that it lives, and its login is checked. */
  heartbeatMs: number;
  /** From the opening of a connection, or the first byte of a further request on it, to the end of the headers. */
  headersWithinMs: number;
  headerBytes: number;
  /** The same to the end of the body: a photo from a telephone takes its time. */
  requestWithinMs: number;
  /** A connection without a request is closed. */
  idleMs: number;
  /** Interval of the check for late ones. */
  checkEveryMs: number;
  /** After the server stops listening: then it closes the connections whose requests have no answer yet. */
  stopWithinMs: number;
}

export const httpLimits: HttpLimits = {
  connections: 2_000,
  connectionsEach: 500,
  streams: 200,
  heartbeatMs: 15_000,
  headersWithinMs: 10_000,
  headerBytes: 16 * 1024,
  requestWithinMs: 120_000,
  idleMs: 72_000,
  checkEveryMs: 1_000,
  stopWithinMs: 5_000,
};

/** Longest secret in a path or after `Bearer`: routers and proxies need not accept more. */
export const longestCallbackSecret = 256;

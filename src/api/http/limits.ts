/** What one process takes from the network at most; times are milliseconds. */
export interface HttpLimits {
  /** Where there is room for no more, one that no known sender uses is closed (see `Connections`). */
  connections: number;
  /** Of one sender that has not proved itself. */
  connectionsEach: number;
  /** From the opening of a connection, or the first byte of a further request on it, to the end of the headers. */
  headersWithinMs: number;
  headerBytes: number;
  /** The same to the end of the body: a photo from a telephone takes its time. */
  requestWithinMs: number;
  /** A connection without a request is closed. */
  idleMs: number;
  /** How often late ones are looked for. */
  checkEveryMs: number;
  /** After the server stops listening: then it closes the connections whose requests have no answer yet. */
  stopWithinMs: number;
}

export const httpLimits: HttpLimits = {
  connections: 2_000,
  connectionsEach: 500,
  headersWithinMs: 10_000,
  headerBytes: 16 * 1024,
  requestWithinMs: 120_000,
  idleMs: 72_000,
  checkEveryMs: 1_000,
  stopWithinMs: 5_000,
};

/** Of a secret that stands in a path or behind `Bearer`: no router, proxy or log of theirs has to take more. */
export const longestCallbackSecret = 256;

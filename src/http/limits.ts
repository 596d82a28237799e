/** What one process takes from the network at most; times are milliseconds. */
export interface HttpLimits {
  /** Further connections are closed at once. */
  connections: number;
  /** From the opening of a connection, or the first byte of a further request on it, to the end of the headers. */
  headersWithinMs: number;
  headerBytes: number;
  /** The same to the end of the body: a photo from a telephone takes its time. */
  requestWithinMs: number;
  /** A connection without a request is closed. */
  idleMs: number;
  /** How often late ones are looked for. */
  lookEveryMs: number;
}

export const httpLimits: HttpLimits = {
  connections: 2_000,
  headersWithinMs: 10_000,
  headerBytes: 16 * 1024,
  requestWithinMs: 120_000,
  idleMs: 72_000,
  lookEveryMs: 1_000,
};

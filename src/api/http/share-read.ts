/**
 * One read for all calls within `sharedForMs` of its start. A failed read is not shared with later calls.
 * @param staysFor of an answer that is to be read again sooner: in ms since the start of its read
 */
export function shareRead<T>(
  read: () => Promise<T>,
  sharedForMs = 1_000,
  staysFor: (answer: T) => number = () => sharedForMs,
): () => Promise<T> {
  let shared: { until: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (shared !== undefined && now < shared.until) return shared.answer;
    const own = { until: now + sharedForMs, answer: read() };
    shared = own;
    own.answer.then(
      (answer) => {
        own.until = Math.min(own.until, now + staysFor(answer));
      },
      () => {
        if (shared === own) shared = undefined;
      },
    );
    return own.answer;
  };
}

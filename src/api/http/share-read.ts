/**
 * One read for all calls within `sharedForMs` of its start. A failed read is not shared with later calls.
 * @param now in milliseconds
 */
export function shareRead<T>(
  read: () => Promise<T>,
  sharedForMs = 1_000,
  now: () => number = Date.now,
): () => Promise<T> {
  let shared: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (shared !== undefined && now() - shared.at < sharedForMs) return shared.answer;
    const own = { at: now(), answer: read() };
    shared = own;
    own.answer.catch(() => {
      if (shared === own) shared = undefined;
    });
    return own.answer;
  };
}

/** One read for all calls within `sharedForMs` of its start. A failed read is not shared with later calls. */
export function shareRead<T>(read: () => Promise<T>, sharedForMs = 1_000): () => Promise<T> {
  let shared: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (shared !== undefined && Date.now() - shared.at < sharedForMs) return shared.answer;
    const own = { at: Date.now(), answer: read() };
    shared = own;
    own.answer.catch(() => {
      if (shared === own) shared = undefined;
    });
    return own.answer;
  };
}

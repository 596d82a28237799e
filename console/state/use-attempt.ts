import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';

interface Attempt<Args extends unknown[]> {
  isBusy: boolean;
  /** Why the last one failed. */
  error: ApiError | null;
  /** Does nothing while one is under way. */
  run(...args: Args): void;
}

/** Work that a button starts and that asks the API: whether it is under way, and why it failed. */
export function useAttempt<Args extends unknown[]>(work: (...args: Args) => Promise<void>): Attempt<Args> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = async (args: Args) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work(...args);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: (...args) => void attempt(args) };
}

import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';

interface Attempt<Of extends unknown[]> {
  isBusy: boolean;
  /** Why the last one failed. */
  error: ApiError | null;
  /** Does nothing while one is under way. */
  run(...of: Of): void;
}

/** Work that a button starts and that asks the API: whether it is under way, and why it failed. */
export function useAttempt<Of extends unknown[]>(work: (...of: Of) => Promise<void>): Attempt<Of> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = async (of: Of) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work(...of);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: (...of) => void attempt(of) };
}

import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';

interface Attempt {
  isBusy: boolean;
  /** Why the last one failed. */
  error: ApiError | null;
  /** Does nothing while one is under way. */
  run(): void;
}

/** Work that a button starts and that asks the API: whether it is under way, and why it failed. */
export function useAttempt(work: () => Promise<void>): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: () => void attempt() };
}

import { useLayoutEffect } from 'preact/hooks';
import type { Cache } from './cache.js';

/** The value of this key, in use for as long as the component is shown. */
export function useCached<Value>(cache: Cache<Value>, key: string, create: () => Value): Value {
  const value = cache.get(key, create);
  useLayoutEffect(() => cache.use(key), [cache, key]);
  return value;
}

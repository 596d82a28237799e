import { fingerprint } from '../shared/hash.js';

/**
 * Identifies equal settlements of one `Idempotency-Key` (L21). As with commands it does not matter who sent it.
 * It can be guessed at: keep it encrypted (L60).
 */
export function settlementMark(name: string, input: object): string {
  const { by: _by, settlementId: _key, ...body } = input as { by?: string; settlementId?: string };
  return fingerprint([name, body]);
}

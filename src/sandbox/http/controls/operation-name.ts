import type { WireProfile } from '../../../platform/profile.js';
import { Refusal } from '../../core/refusal.js';

/**
 * An operation by its name (`dispatchStart`) or by the end of its path (`dispatch/start`), where only one ends so.
 * @param field where it stood, for the message
 * @throws `Refusal` NOT_FOUND with all names
 */
export function resolveOperation({ operations }: WireProfile, name: string, field: string): string {
  if (Object.hasOwn(operations, name)) return name;
  const ending = `/${name.replace(/^\/+/, '')}`;
  const named = Object.entries(operations).filter(([, { path }]) => path.endsWith(ending));
  const [only, ...others] = named;
  if (only && others.length === 0) return only[0];
  const known = Object.keys(operations).join(', ');
  throw new Refusal('NOT_FOUND', `${field}: expected one of ${known}, or the end of its path`);
}

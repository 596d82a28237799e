import { send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { StaffMember } from '../api/types.js';
import { type Resource, resourceOf } from './resource.js';

/** Who can act: own an attention item, or be assigned; read when a user is about to choose. */
export function staffList(): Resource<StaffMember[]> {
  return resourceOf('staff', { load: async () => (await send(endpoints.staff)).body.items });
}

import { carOf } from '../../domain/shared/audit.js';
import { withPlates } from '../cars/with-plates.js';
import type { Api, RouteContext } from '../http/context.js';
import { listRoute } from '../http/list-route.js';
import { auditList, auditQuery } from './schemas.js';

/** GET /api/audit: changes by staff outside the reservations, with reasons; those of a reservation are in its timeline. */
export function auditRoute(api: Api, context: RouteContext): void {
  const { deps } = context;
  listRoute(api, context, {
    path: '/api/audit',
    role: 'manager',
    summary: 'Who changed what beside the reservations, and why',
    tag: 'operations',
    query: auditQuery,
    answer: auditList,
    async read(query) {
      const { items, ...rest } = await deps.audit.list(query);
      const ofCars = items.map((entry) => ({ ...entry, carId: carOf(entry) }));
      return withPlates(deps.plates, { items: ofCars, ...rest });
    },
    show: (entry, write) => ({ ...entry, at: write(entry.at) }),
  });
}

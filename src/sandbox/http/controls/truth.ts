import { z } from 'zod';
import { describeReservation } from '../../actions/describe.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { pageOfReservations, readReservation } from '../../store/reservations.js';
import { byId, iso } from './moment.js';
import type { ControlScope } from './scope.js';

const list = z.object({
  status: z.coerce.number().int().min(0).max(99).exactOptional(),
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** The platform's own state of reservations, for tests and for persons. */
export function registerTruth(scope: ControlScope, sandbox: Sandbox): void {
  const { db, clock } = sandbox;
  scope.get('/reservations', { schema: { querystring: list } }, async ({ query }) => {
    const { after, limit, status } = query;
    const rows = await pageOfReservations(db, after, limit, status);
    const last = rows.length === limit ? (rows.at(-1)?.reservationId ?? null) : null;
    return {
      items: rows.map((row) => ({
        reservationId: row.reservationId,
        reservationStatus: row.status,
        productId: row.productId,
        carId: row.carId,
        companyId: row.companyId,
        startAt: iso(row.startAt),
        endAt: iso(row.endAt),
      })),
      next: last,
      asOf: iso(clock.now()),
    };
  });
  scope.get('/reservations/:id', { schema: { params: byId } }, async ({ params }) => {
    const row = await readReservation(db, params.id);
    if (!row) throw new Refusal('NOT_FOUND', `there is no reservation ${params.id}`);
    return describeReservation(sandbox, row);
  });
}

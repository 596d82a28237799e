import { moveTo } from '../../actions/commands.js';
import type { Sandbox } from '../../context.js';
import { byId } from './moment.js';
import type { ControlScope } from './scope.js';

const moves = { 'start-use': 'startUse', return: 'return', cancel: 'cancel' } as const;

/** The customer's moves: the smart key (20), the return (30), the cancellation (40). Answers the status reached. */
export function registerCustomer(scope: ControlScope, sandbox: Sandbox): void {
  for (const [path, move] of Object.entries(moves)) {
    scope.post(`/reservations/:id/${path}`, { schema: { params: byId } }, async ({ params }) => {
      const { reservationId, status } = await moveTo(sandbox, { reservationId: params.id }, move);
      return { reservationId, reservationStatus: status };
    });
  }
}

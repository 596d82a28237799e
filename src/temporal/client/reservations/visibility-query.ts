import { reservationWorkflow } from '../../../contract/names.js';
import { searchAttributes } from '../../../contract/search-attributes.js';
import type { ListFilter } from '../../../store/reservations/list.js';

/**
 * The visibility query of a filter. `from`/`to`: the period overlaps [from, to); one that is not known overlaps
 * nothing.
 */
export function visibilityQuery(filter: Omit<ListFilter, 'cursor' | 'limit'>): string {
  const { status, carId, attention, from, to } = filter;
  return [
    `WorkflowType = '${reservationWorkflow}'`,
    `ExecutionStatus = 'Running'`,
    status === undefined ? undefined : `${searchAttributes.status.name} = ${status}`,
    carId === undefined ? undefined : `${searchAttributes.carId.name} = ${carId}`,
    attention === undefined ? undefined : `${searchAttributes.attention.name} = '${attention}'`,
    to === undefined ? undefined : `${searchAttributes.start.name} < '${new Date(to).toISOString()}'`,
    from === undefined ? undefined : `${searchAttributes.end.name} > '${new Date(from).toISOString()}'`,
  ]
    .filter((part) => part !== undefined)
    .join(' AND ');
}

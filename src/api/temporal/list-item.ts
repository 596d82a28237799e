import type { RawWorkflowExecutionInfo } from '@temporalio/client';
import { listedReservation } from '../../contract/listed-reservation.js';
import type { ListItem } from '../deps.js';

/** What visibility holds of one open reservation; undefined for another workflow. */
export function listItem(execution: RawWorkflowExecutionInfo): ListItem | undefined {
  const listed = listedReservation(execution);
  return listed && { ...listed, closed: false };
}

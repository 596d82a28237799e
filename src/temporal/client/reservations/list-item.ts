import type { RawWorkflowExecutionInfo } from '@temporalio/client';
import { listedReservation } from './listed.js';
import type { ListItem } from './types.js';

/** What visibility holds of one open reservation; undefined for another workflow. */
export function listItem(execution: RawWorkflowExecutionInfo): ListItem | undefined {
  const listed = listedReservation(execution);
  return listed && { ...listed, closed: false };
}

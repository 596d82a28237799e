import type { RawWorkflowExecutionInfo } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { reservationIdOf } from '../../contract/names.js';
import { searchAttributes } from '../../contract/search-attributes.js';
import type { AttentionKind } from '../../lifecycle/index.js';
import type { ListItem } from '../deps.js';

/** What visibility holds of one reservation; undefined for another workflow. */
export function listItem(execution: RawWorkflowExecutionInfo): ListItem | undefined {
  const reservationId = reservationIdOf(execution.execution?.workflowId ?? '');
  if (reservationId === undefined) return undefined;
  const read = reader(execution);
  const [start, end] = [read(searchAttributes.start), read(searchAttributes.end)].map(instantOf);
  return {
    reservationId,
    status: numberOf(read(searchAttributes.status)),
    carId: numberOf(read(searchAttributes.carId)),
    companyId: numberOf(read(searchAttributes.companyId)),
    period: start === undefined || end === undefined ? null : { start, end },
    attention: attentionOf(read(searchAttributes.attention)),
    closed: false,
  };
}

function reader(execution: RawWorkflowExecutionInfo): (key: { name: string }) => unknown {
  const fields = execution.searchAttributes?.indexedFields ?? {};
  return ({ name }) => {
    const payload = fields[name];
    return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined;
}
function attentionOf(value: unknown): AttentionKind[] {
  if (Array.isArray(value)) return value as AttentionKind[];
  return typeof value === 'string' ? [value as AttentionKind] : []; // a list of one may come as its item
}

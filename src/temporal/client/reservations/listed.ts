import { defaultPayloadConverter } from '@temporalio/common';
import { reservationIdOf } from '../../../contract/names.js';
import { searchAttributes } from '../../../contract/search-attributes.js';
import type { ListFacts } from '../../../domain/reservation/types.js';
import type { ListedRun } from '../listed-runs.js';

/** The search attributes of one reservation; undefined for another workflow. */
export function listedReservation(listed: ListedRun): ({ reservationId: number } & ListFacts) | undefined {
  const reservationId = reservationIdOf(listed.workflowId);
  if (reservationId === undefined) return undefined;
  const read = reader(listed);
  const [start, end] = [read(searchAttributes.start), read(searchAttributes.end)].map(instantOf);
  return {
    reservationId,
    status: numberOf(read(searchAttributes.status)),
    carId: numberOf(read(searchAttributes.carId)),
    companyId: numberOf(read(searchAttributes.companyId)),
    period: start === undefined || end === undefined ? null : { start, end },
    attention: attentionOf(read(searchAttributes.attention)),
  };
}

function reader({ searchAttributes: stored }: ListedRun): (key: { name: string }) => unknown {
  return ({ name }) => {
    const payload = stored[name];
    return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined;
}
function attentionOf(value: unknown): ListFacts['attention'] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value as ListFacts['attention'][number]] : []; // a list of one may come as its item
}

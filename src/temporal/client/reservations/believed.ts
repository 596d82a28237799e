import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { reservationIdOf, reservationWorkflow } from '../../../contract/names.js';
import { searchAttributes } from '../../../contract/search-attributes.js';
import type { Believed } from '../../../domain/reconciliation/believed.js';
import { isTerminal } from '../../../domain/reservation/statuses.js';
import { type ListedRun, listRuns } from '../listed-runs.js';
import { openCondition } from '../open-status.js';

const withinMs = 10_000;

/** What every open reservation believes, from visibility, which lags slightly. @param onPage called after each page */
export async function openReservations(client: Client, onPage: () => void): Promise<Believed[]> {
  const query = `WorkflowType = '${reservationWorkflow}' AND ${await openCondition(client, withinMs)}`;
  const found: Believed[] = [];
  for await (const run of listRuns(client, query, { withinMs, onPage })) {
    const reservationId = reservationIdOf(run.workflowId);
    if (reservationId !== undefined) found.push({ reservationId, ...believedBy(run) });
  }
  return found;
}

function believedBy({ searchAttributes: stored }: ListedRun): Omit<Believed, 'reservationId'> {
  const read = ({ name }: { name: string }): unknown => {
    const payload = stored[name];
    return payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
  };
  const status = numberOf(read(searchAttributes.status));
  const [start, end] = [read(searchAttributes.start), read(searchAttributes.end)].map(instantOf);
  return {
    carId: numberOf(read(searchAttributes.carId)),
    companyId: numberOf(read(searchAttributes.companyId)),
    period: start === undefined || end === undefined ? null : { start, end },
    ended: status !== null && isTerminal(status),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
const instantOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : undefined);

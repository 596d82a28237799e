import type { Client } from '@temporalio/client';
import {
  closeWithoutWorkflow,
  type HoldRefusal,
  type HoldView,
  standingAmong,
  withoutWorkflow,
} from '../../../domain/hold/index.js';
import { message } from '../../../domain/hold/messages/message.js';
import { keyReused } from '../../../domain/shared/idempotency.js';
import type { CloseHold } from '../../../store/holds/close.js';
import type { HoldStore } from '../../../store/holds/store.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { callTemporal } from '../calls.js';
import { readGoneWorkflow } from './gone-workflow.js';
import type { HoldCommandRequest } from './types.js';

const readWithinMs = 1_200;

interface Parts {
  client: Client;
  store: Pick<HoldStore, 'read'>;
  close: CloseHold;
  zoneOffsetMinutes: number;
}

/**
 * Checks an open hold against its workflow. Where Temporal does not know the workflow, or it did not complete, the hold is
 * shown as gone, or as closed where a manager closed its row. Unchanged where Temporal does not answer.
 */
export async function checkedHold(
  { client, store, zoneOffsetMinutes }: Parts,
  hold: HoldView,
): Promise<HoldView> {
  if (!hold.open) return hold;
  const read = () => readGoneWorkflow(client, hold.holdId);
  const gone = await callTemporal(client, readWithinMs, read).catch((error) => {
    if (error instanceof EngineUnavailableError) return undefined;
    throw error;
  });
  if (gone === undefined) return hold;
  const row = await store.read(hold.holdId);
  if (row?.view.open === false) return row.view;
  const since = gone.endedAt ?? row?.writtenAt ?? Date.parse(hold.createdAt);
  return withoutWorkflow(hold, since, zoneOffsetMinutes);
}

type Answer =
  | { kind: 'answered'; command: HoldView['commands'][number]; hold: HoldView }
  | { kind: 'refused'; refusal: HoldRefusal }
  /** Another request closed it first. */
  | { kind: 'closed' };

/** F13, F16: a hold without its workflow can only be resolved. */
export async function resolveWithoutWorkflow(
  { close, zoneOffsetMinutes }: Pick<Parts, 'close' | 'zoneOffsetMinutes'>,
  hold: HoldView,
  { name, input }: HoldCommandRequest,
): Promise<Answer> {
  const same = hold.commands.find(({ commandId }) => commandId === input.commandId);
  const standing = standingAmong(hold.commands, name, input);
  if (same !== undefined && standing === 'same' && same.outcome !== 'out')
    return { kind: 'answered', command: same, hold };
  if (name !== 'resolve') return { kind: 'refused', refusal: workflowGone(hold.holdId) };
  if (same !== undefined) return { kind: 'refused', refusal: keyReused() };
  const at = Date.now();
  const resolved = closeWithoutWorkflow(hold, input, at, zoneOffsetMinutes);
  const isClosed = await close({ at, view: resolved.hold, input });
  return isClosed ? { kind: 'answered', ...resolved } : { kind: 'closed' };
}

export function workflowGone(holdId: string): HoldRefusal {
  return { code: 'HOLD_WORKFLOW_GONE', message: message('hold.workflow-ended', { holdId }) };
}

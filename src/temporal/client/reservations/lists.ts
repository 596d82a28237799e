import { createHash } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { CursorError } from '../../../store/cursor.js';
import type { ListPage } from '../../../store/page.js';
import type { ListFilter, ListItem } from '../../../store/reservations/list.js';
import { EngineUnavailableError } from '../../connection/unavailable.js';
import { callTemporal, isInvalidArgument } from '../calls.js';
import { SharedReads } from '../shared-reads.js';
import { listedReservation } from './listed.js';
import { visibilityQuery } from './visibility-query.js';

const listWithinMs = 5_000;
/** Visibility is limited to a few reads a second: equal questions share one. */
const sharedForMs = 1_000;

/** Open reservations, from visibility; it lags behind a moment, which `asOf` says. */
export function reservationLists(client: Client): {
  list(filter: ListFilter): Promise<ListPage<ListItem>>;
} {
  const reads = new SharedReads<ListPage<ListItem>>(sharedForMs);
  return {
    list: ({ limit, cursor, ...filter }) => {
      const query = visibilityQuery(filter);
      const token = cursor === undefined ? undefined : readCursor(cursor, query);
      return reads.get(JSON.stringify([query, limit, cursor]), () => readPage(client, query, limit, token));
    },
  };
}

async function readPage(
  client: Client,
  query: string,
  limit: ListFilter['limit'],
  nextPageToken: Buffer | undefined,
): Promise<ListPage<ListItem>> {
  const asOf = Date.now();
  const { namespace } = client.options;
  try {
    const request = {
      namespace,
      query,
      pageSize: limit,
      ...(nextPageToken !== undefined && { nextPageToken }),
    };
    const answer = await callTemporal(client, listWithinMs, () =>
      client.workflowService.listWorkflowExecutions(request),
    );
    const items = (answer?.executions ?? [])
      .map(listedReservation)
      .filter((listed) => listed !== undefined)
      .map((listed) => ({ ...listed, closed: false }));
    return { items, nextCursor: writeCursor(answer?.nextPageToken ?? undefined, query), asOf };
  } catch (error) {
    if (!isInvalidArgument(error)) throw error;
    if (nextPageToken !== undefined) throw new CursorError();
    // the query is ours: a service that refuses it lacks our search attributes
    throw new EngineUnavailableError('INVALID_ARGUMENT', { cause: error });
  }
}

/** Temporal's page token with a mark of its query: a cursor fits the list that gave it alone. */
function writeCursor(token: Uint8Array | undefined, query: string): string | null {
  if (token === undefined || token.length === 0) return null;
  return `${markOf(query)}.${Buffer.from(token).toString('base64url')}`;
}

function readCursor(cursor: string, query: string): Buffer {
  const [mark, token] = cursor.split('.');
  if (mark !== markOf(query) || token === undefined || !/^[\w-]+$/.test(token)) throw new CursorError();
  return Buffer.from(token, 'base64url');
}

function markOf(query: string): string {
  return createHash('sha256').update(query).digest('hex').slice(0, 12);
}

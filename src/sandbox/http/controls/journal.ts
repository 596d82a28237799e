import { z } from 'zod';
import type { Sandbox } from '../../context.js';
import type { JournalRow } from '../../store/journal.js';
import type { ControlScope } from './index.js';
import { iso } from './moment.js';

const filter = z.object({
  reservationId: z.coerce.number().int().exactOptional(),
  operation: z.string().exactOptional(),
  kind: z.enum(['request', 'callback']).exactOptional(),
  after: z.coerce.number().int().min(0).exactOptional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** What was said on the wire: requests and callback attempts with both bodies, oldest first. */
export function registerJournal(scope: ControlScope, sandbox: Sandbox): void {
  const { journal } = sandbox;
  scope.get('/journal', { schema: { querystring: filter } }, async ({ query }) => {
    const rows = await journal.find(query);
    const next = rows.length === query.limit ? (rows.at(-1)?.journalId ?? null) : null;
    return { items: rows.map(shown), next };
  });
  scope.delete('/journal', async (_request, reply) => {
    await journal.clear();
    return reply.code(204).send();
  });
}

function shown(row: JournalRow) {
  return {
    ...row,
    at: iso(row.at),
    requestBody: parsed(row.requestBody),
    responseBody: parsed(row.responseBody),
  };
}

/** A body as JSON where it is some, else as text. */
function parsed(body: string | null): unknown {
  if (body === null || body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

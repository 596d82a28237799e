import { z } from 'zod';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import type { JournalRow } from '../../store/journal.js';
import { filterInAddress, filterInBody, readFilter } from './journal-filter.js';
import { iso } from './moment.js';
import type { ControlScope } from './scope.js';

const query = z.object({
  ...filterInAddress,
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const amount = z.int().min(0);
const assertion = z
  .strictObject({
    ...filterInBody,
    times: amount.exactOptional(),
    atLeast: amount.exactOptional(),
    atMost: amount.exactOptional(),
  })
  .meta({ anyOf: ['times', 'atLeast', 'atMost'].map((bound) => ({ required: [bound] })) });

/** Entries that the answer to an assertion shows. */
const shownAtMost = 20;

/** The journal of the wire: requests and callback attempts with both bodies, oldest first. */
export function registerJournal(scope: ControlScope, sandbox: Sandbox): void {
  const { journal, profile } = sandbox;
  scope.get(
    '/journal',
    { schema: { querystring: query } },
    async ({ query: { after, limit, ...filter } }) => {
      const rows = await journal.find(readFilter(profile, filter), { after, limit });
      const next = rows.length === limit ? (rows.at(-1)?.journalId ?? null) : null;
      return { items: rows.map(toEntry), next };
    },
  );
  scope.delete('/journal', { config: { success: 204 } }, async (_request, reply) => {
    await journal.clear();
    return reply.code(204).send();
  });
  scope.post('/journal/assert', { schema: { body: assertion } }, async ({ body }) => {
    const { times, atLeast, atMost, ...filters } = body;
    const expected = { atLeast: times ?? atLeast, atMost: times ?? atMost };
    if (expected.atLeast === undefined && expected.atMost === undefined)
      throw new Refusal('INVALID_REQUEST', 'state how often: times, atLeast or atMost');
    const filter = readFilter(profile, filters);
    const count = await journal.count(filter);
    const found = await journal.find(filter, { after: 0, limit: shownAtMost });
    const { atLeast: least = 0, atMost: most = Number.POSITIVE_INFINITY } = expected;
    return { pass: count >= least && count <= most, count, expected, found: found.map(toEntry) };
  });
}

function toEntry(row: JournalRow) {
  return {
    ...row,
    at: iso(row.at),
    requestBody: parseBody(row.requestBody),
    responseBody: parseBody(row.responseBody),
  };
}

/** A body as JSON where it is some, else as text. */
function parseBody(body: string | null): unknown {
  if (body === null || body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

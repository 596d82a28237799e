import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ListPage } from '../../store/page.js';
import type { AccessRole } from './access.js';
import type { Api, RouteContext } from './context.js';
import { moment } from './fields.js';
import type { WriteMoment } from './moments.js';
import { refuseReversed } from './period.js';
import { problems } from './problem-schema.js';
import type { Render } from './sentences.js';

/** The answer of a list: one page of `item`. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    asOf: moment.describe('When the list was read'),
  });

interface ListRoute<Query extends z.ZodType, Params extends z.ZodType, Row, Item extends z.ZodType> {
  path: string;
  /** The weakest that may read the list. */
  role: AccessRole;
  summary: string;
  tag: string;
  query: Query;
  params?: Params;
  answer: ReturnType<typeof listOf<Item>>;
  read(query: z.output<Query>, params: z.output<Params>): Promise<ListPage<Row> & { count?: number }>;
  /** Its items have sentences, which `show` renders in the caller's language. */
  hasSentences?: boolean;
  show(row: Row, write: WriteMoment, render: Render): z.output<Item>;
}

/** GET of a list, page by page. A `from` that is not before its `to` is refused (PERIOD_REVERSED). */
export function listRoute<Query extends z.ZodType, Row, Item extends z.ZodType, Params extends z.ZodType>(
  api: Api,
  { write, sentences, requires }: Pick<RouteContext, 'write' | 'sentences' | 'requires'>,
  {
    path,
    role,
    summary,
    tag,
    query,
    params,
    answer,
    read,
    hasSentences = false,
    show,
  }: ListRoute<Query, Params, Row, Item>,
): void {
  const schema = {
    summary,
    tags: [tag],
    ...(params !== undefined && { params }),
    querystring: query,
    response: { 200: answer, ...problems },
  };
  (api as unknown as FastifyInstance).get(
    path,
    { onRequest: requires(role), schema },
    async (request: FastifyRequest, reply: FastifyReply) => {
      refuseReversed(request.query as Record<string, unknown>, 'from', 'to');
      const page = await read(request.query as z.output<Query>, request.params as z.output<Params>);
      const render = hasSentences ? sentences(reply) : plain;
      return {
        items: page.items.map((row) => show(row, write, render)),
        nextCursor: page.nextCursor,
        asOf: write(page.asOf),
        ...(page.count !== undefined && { count: page.count }),
      };
    },
  );
}

const plain: Render = (sentence) => (typeof sentence === 'string' ? sentence : sentence.code);

import { z } from 'zod';
import { actions, grades } from '../../domain/reservation/index.js';
import { alertList } from '../alerts/schemas.js';
import { moment } from '../http/fields.js';

const owner = z.string().nullable().describe('Who claimed it');

const boardRow = z
  .object({
    reservationId: z.int(),
    sequence: z.int().describe('Of two rows of one reservation the one with the higher is the later'),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    grade: z.enum(grades).nullable().describe('Why the status is believed'),
    since: moment.nullable().describe('Since when it has the status'),
    carId: z.int().nullable(),
    carNumber: z.string().nullable(),
    companyId: z.int().nullable(),
    productId: z.int().nullable(),
    period: z.object({ start: moment, end: moment }).nullable(),
    attention: z
      .array(z.object({ kind: z.string(), since: moment, owner }))
      .describe('Open items, the gravest first'),
    next: z
      .object({ action: z.enum(actions), target: z.int().nullable() })
      .nullable()
      .describe('The action that staff take next, and the status that it moves to'),
    relevantAt: moment.nullable().describe('Start or end of the period, or the return'),
    owner: z.string().nullable().describe('Who claimed its gravest item'),
    staff: z.string().nullable().describe('Who dispatches, or recalls from 15 on; null for viewers'),
    atRisk: z.boolean().describe('The next reservation of the car is at risk'),
    unknownCommands: z.int(),
    waitingCommands: z.int(),
  })
  .describe('One reservation of the board');

const lane = (what: string) =>
  z
    .object({
      count: z.int().describe('All of them; of more than `items` as counted some seconds ago'),
      items: z.array(boardRow).max(500),
    })
    .describe(what);

export const board = z
  .object({
    asOf: moment,
    lanes: z.object({
      attention: lane('With an open attention item, the gravest first, then the oldest'),
      dueOut: lane('At 5 and 10, by their start'),
      out: lane('At 15, 20 and 25 until two hours before the end, by their end'),
      dueBack: lane('At 15, 20 and 25 from two hours before the end, by their end'),
      toRecall: lane('At 30, the longest returned first'),
    }),
    alerts: alertList.shape.items.describe('Open alerts that belong to no reservation, as GET /api/alerts'),
    degraded: z.array(z.string()).describe('Parts of the service that do not answer, as /readyz names them'),
    degradedSince: z.record(z.string(), moment).describe('Of each of them: since when it is known'),
  })
  .describe('What open reservations call for now; each is in one lane');

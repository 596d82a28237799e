import { z } from 'zod';
import type { ClaimAnswer } from '../../store/reservations/claims.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { words } from '../http/fields.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { message } from '../messages/message.js';
import { readStaff } from '../session/staff.js';
import { attentionParams } from './decision-schemas.js';

const body = z.preprocess(
  (given) => given ?? {},
  z.strictObject({
    name: words(200)
      .exactOptional()
      .describe(
        'Gives the item to this person, also where another has it; absent: to the sender, where no other person than `from` has it',
      ),
    from: words(200)
      .nullable()
      .exactOptional()
      .describe('The owner that the sender saw, null: none. Refused where it is another person meanwhile'),
  }),
);
const claimed = z.object({
  reservationId: z.int(),
  kind: z.string(),
  owner: z.string().nullable().describe('Name of a person'),
});
const tags = ['reservations'];

/** Who takes care of an attention item. A claim ends with its item. */
export function claimRoutes(api: Api, { deps, requires }: RouteContext): void {
  const path = '/api/reservations/:id/attention/:kind/claim';
  const refuseUnknown = async (name: string) => {
    const staff = await readStaff(deps);
    if (staff.every((one) => one.name !== name)) throw unknownPerson();
  };

  api.put(
    path,
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Claim an attention item, or give it to another person',
        tags,
        params: attentionParams,
        body,
        response: { 200: claimed, ...problems },
      },
    },
    async (request) => {
      const { id: reservationId, kind } = request.params;
      const by = callerOf(request).name;
      // without a name nothing is taken from another person
      const { name, from = name === undefined ? null : undefined } = request.body;
      if (name !== undefined && name !== by) await refuseUnknown(name);
      const owner = name ?? by;
      refuse(await deps.claims.claim({ reservationId, kind }, { owner, by, from }), kind);
      return { reservationId, kind, owner };
    },
  );

  api.delete(
    path,
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Release an attention item: it has no owner any more',
        tags,
        params: attentionParams,
        querystring: z.strictObject({
          from: words(200)
            .exactOptional()
            .describe('The owner that the sender saw. Refused where it is another person meanwhile'),
        }),
        response: { 200: claimed, ...problems },
      },
    },
    async (request) => {
      const { id: reservationId, kind } = request.params;
      const release = { by: callerOf(request).name, ...request.query };
      refuse(await deps.claims.release({ reservationId, kind }, release), kind);
      return { reservationId, kind, owner: null };
    },
  );
}

function refuse(answer: ClaimAnswer, kind: string): void {
  switch (answer.kind) {
    case 'done':
      return;
    case 'no-item':
      throw new Problem('ATTENTION_NOT_FOUND', message('api.attention-closed', { kind }));
    case 'claimed':
      throw new Problem('ATTENTION_CLAIMED', message('api.attention-claimed', {}), {
        members: { owner: answer.owner },
      });
  }
}

function unknownPerson(): Problem {
  return new Problem('STAFF_UNKNOWN', message('api.staff-unknown', {}));
}

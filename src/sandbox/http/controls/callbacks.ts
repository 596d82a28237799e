import { z } from 'zod';
import type { Parcel } from '../../callbacks/delivery.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { idInPath, optionalBody } from './moment.js';
import type { ControlScope } from './scope.js';

const byJournalId = z.object({ journalId: idInPath });
const kinds = ['registration', 'update', 'car', 'status'] as const;
const signer = z.enum(['right', 'wrong', 'none']).default('right');

const handMade = z
  .strictObject({
    kind: z.enum(kinds).exactOptional(),
    path: z
      .string()
      .regex(/^\/\S*$/, 'expected a path that begins with /')
      .exactOptional(),
    reservationId: z.int().exactOptional(),
    webhookId: z
      .string()
      .regex(/^[\w-]{1,100}$/, 'expected up to 100 of letters, digits, _ and -')
      .exactOptional(),
    body: z
      .unknown()
      .optional()
      .describe('JSON, or a string to be sent as it is; an empty object when left out'),
    signer,
  })
  .refine(({ kind, path }) => kind !== undefined || path !== undefined, 'expected a kind or a path')
  .meta({ anyOf: [{ required: ['kind'] }, { required: ['path'] }] });

const resending = z.strictObject({ signer });

/** Sends callbacks on request: one of the journal again, or a made-up one. Both are signed at the moment of sending. */
export function registerCallbacks(scope: ControlScope, sandbox: Sandbox): void {
  const { journal, dispatcher, profile, newId } = sandbox;
  scope.post(
    '/callbacks/:journalId/resend',
    { schema: { params: byJournalId, body: optionalBody(resending) } },
    async ({ params: { journalId }, body }) => {
      const row = await journal.read(journalId);
      if (row?.kind !== 'callback' || row.webhookId === null)
        throw new Refusal('NOT_FOUND', `the journal has no callback ${journalId}`);
      const { path, reservationId, webhookId, operation } = row;
      const kind = kinds.find((each) => operation === `callback:${each}`) ?? null;
      return send({ kind, path, reservationId, webhookId, payload: row.requestBody ?? '', ...body });
    },
  );
  scope.post('/callbacks', { schema: { body: handMade } }, async ({ body: letter }) => {
    const { kind = null, webhookId = `msg_${newId()}`, body } = letter;
    const path = letter.path ?? profile.callbacks.paths[kind ?? 'update'];
    const payload = typeof body === 'string' ? body : JSON.stringify(body === undefined ? {} : body);
    const reservationId = letter.reservationId ?? reservationOf(body);
    return send({ kind, path, reservationId, webhookId, payload, signer: letter.signer });
  });

  async function send(parcel: Parcel) {
    const sent = await dispatcher.send({ ...parcel, remark: 'by-hand' });
    if (!sent) throw new Refusal('ILLEGAL_STATE', 'there is no callback receiver: set SANDBOX_CALLBACK_URL');
    const { acknowledged, status, outcome } = sent;
    return { webhookId: parcel.webhookId, acknowledged, status, outcome };
  }
}

/** The reservation that a body of the default profile is about, for the journal. */
function reservationOf(body: unknown): number | null {
  const id = (body as { reservationId?: unknown } | null | undefined)?.reservationId;
  return Number.isSafeInteger(id) ? (id as number) : null;
}

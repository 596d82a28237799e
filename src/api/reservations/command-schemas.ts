import { z } from 'zod';
import { type Action, actions, type CommandBody, staffActions } from '../../domain/reservation/index.js';
import { integerAsText, phone } from '../../platform/profiles/codecs/values.js';
import { words } from '../http/fields.js';
import { expected } from '../messages/expected.js';

const parkingLotType = z.literal([0, 1], { error: expected('field.parking-lot', {}) });
const reason = words(500);
const overriding = {
  override: z.boolean().exactOptional().describe('Sends a step that the guards would refuse (L20, L27)'),
  reason: reason.exactOptional().describe('Why; stored, and required with `override: true`'),
};

type Fields = (typeof staffActions)[Action]['fields'];
/** Fields of a JSON body (G13, G14). */
const jsonFields: Readonly<Record<Fields, z.ZodRawShape>> = {
  none: {},
  staff: { staffName: words(100), staffPhone: phone },
  parking: { parkingMemo: words(1000).exactOptional(), parkingLotType: parkingLotType.exactOptional() },
  note: {
    note: words(1000)
      .exactOptional()
      .describe('Becomes a memo of the car once the recall is complete; not sent with it'),
  },
};

/** Text fields beside a photo (G15): everything is text there. */
const textFields: Readonly<Partial<Record<Fields, z.ZodRawShape>>> = {
  parking: {
    parkingMemo: words(1000).exactOptional(),
    parkingLotType: integerAsText(parkingLotType).exactOptional(),
  },
};
const flagText = z
  .enum(['true', 'false'], { error: expected('field.either', { values: ['true', 'false'] }) })
  .transform((text) => text === 'true')
  .exactOptional();
const image = z.file().min(1).describe('JPEG, PNG or WebP, 10 MiB at most');

/** Output of the schemas below: the command's body, and whether to send it against the guards. */
export type ActionFields = Omit<CommandBody, 'photo'> & { override?: boolean; reason?: string };
const hasReason = ({ override, reason: why }: ActionFields) => override !== true || why !== undefined;
/** The same rule in the API document. */
const requireReason = (override: unknown) => ({
  if: { properties: { override: { const: override } }, required: ['override'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['reason'] },
});
const unexplained = { path: ['reason'], message: expected('field.override-reason', {}) };

export const jsonActions = actions.filter((action) => !staffActions[action].hasPhoto);
export const photoActions = actions.filter((action) => staffActions[action].hasPhoto);

/** The body of an action without a photo (G13, G14). Where nothing is required, an absent body counts as an empty one. */
export function commandBody(action: Action): z.ZodType<ActionFields> {
  const { fields } = staffActions[action];
  const body = z
    .strictObject({ ...jsonFields[fields], ...overriding })
    .refine(hasReason, unexplained)
    .meta(requireReason(true));
  const absentToo = fields === 'staff' ? body : z.preprocess((given) => given ?? {}, body);
  return absentToo as unknown as z.ZodType<ActionFields>;
}

/** The text fields beside the photo of an action (G15), and the multipart body as the API document shows it. */
export function photoForm(action: Action) {
  const fields = {
    override: flagText,
    reason: reason.exactOptional(),
    ...textFields[staffActions[action].fields],
  };
  const read = z.strictObject(fields).refine(hasReason, unexplained).meta(requireReason('true'));
  return {
    fields: read as unknown as z.ZodType<ActionFields>,
    body: z.strictObject({ image, ...fields }).meta({ dependentRequired: { override: ['reason'] } }),
  };
}

import { z } from 'zod';
import type { CommandBody } from '../../domain/reservation/index.js';
import { integerAsText, phone } from '../../platform/profiles/codecs/values.js';
import { words } from '../http/fields.js';

const parkingLotType = z.union([z.literal(0), z.literal(1)], { error: 'expected 1 (paid) or 0 (unknown)' });
const reason = words(500);
const overriding = {
  override: z.boolean().exactOptional().describe('Sends a step that the guards would refuse (L20, L27)'),
  reason: reason.exactOptional().describe('Why; kept, and required with `override: true`'),
};
const parking = { parkingMemo: words(1000).exactOptional(), parkingLotType: parkingLotType.exactOptional() };

/** What the schemas below read: the command's body, and the wish to send it against the guards. */
export type ActionFields = Omit<CommandBody, 'photo'> & { override?: boolean; reason?: string };
const explains = ({ override, reason: why }: ActionFields) => override !== true || why !== undefined;
/** The same for the API document. */
const explained = (override: unknown) => ({
  if: { properties: { override: { const: override } }, required: ['override'] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
  then: { required: ['reason'] },
});
const unexplained = { path: ['reason'], message: 'expected a reason with override: true' };

/** An absent body counts as an empty one. */
const orNothing = <T extends z.ZodType>(schema: T) => z.preprocess((body) => body ?? {}, schema);

/** Bodies of the actions without a photo (G13, G14). */
export const commandBodies = {
  'dispatch.staff': z
    .strictObject({ staffName: words(100), staffPhone: phone, ...overriding })
    .refine(explains, unexplained)
    .meta(explained(true)),
  'dispatch.start': orNothing(z.strictObject(overriding).refine(explains, unexplained).meta(explained(true))),
  'dispatch.complete': orNothing(
    z
      .strictObject({ ...parking, ...overriding })
      .refine(explains, unexplained)
      .meta(explained(true)),
  ),
  'recall.staff': z
    .strictObject({ staffName: words(100), staffPhone: phone, ...overriding })
    .refine(explains, unexplained)
    .meta(explained(true)),
  'recall.complete': orNothing(
    z
      .strictObject({
        note: words(1000)
          .exactOptional()
          .describe('Becomes a memo of the car once the recall is complete; not sent with it'),
        ...overriding,
      })
      .refine(explains, unexplained)
      .meta(explained(true)),
  ),
};

const flagText = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((text) => text === 'true')
  .exactOptional();

/** Text fields beside the photo (G15): everything is text there. */
const carFields = { override: flagText, reason: reason.exactOptional() };
const parkingFields = {
  ...carFields,
  parkingMemo: words(1000).exactOptional(),
  parkingLotType: integerAsText(parkingLotType).exactOptional(),
};
export const photoFields = {
  'dispatch.parkingImage': z
    .strictObject(parkingFields)
    .refine(explains, unexplained)
    .meta(explained('true')),
  'dispatch.carImage': z.strictObject(carFields).refine(explains, unexplained).meta(explained('true')),
  'recall.carImage': z.strictObject(carFields).refine(explains, unexplained).meta(explained('true')),
};

/** The multipart body as the API document shows it; its parts are read as they arrive. */
const image = z.file().min(1).describe('JPEG, PNG or WebP, 10 MiB at most');
export const photoForms = {
  'dispatch.parkingImage': z
    .strictObject({ image, ...parkingFields })
    .meta({ dependentRequired: { override: ['reason'] } }),
  'dispatch.carImage': z
    .strictObject({ image, ...carFields })
    .meta({ dependentRequired: { override: ['reason'] } }),
  'recall.carImage': z
    .strictObject({ image, ...carFields })
    .meta({ dependentRequired: { override: ['reason'] } }),
};

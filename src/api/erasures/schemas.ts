import { z } from 'zod';
import { obstacleCodes } from '../../store/erasure/targets.js';
import { moment, pageLimit, rowCursor } from '../http/fields.js';
import { listOf } from '../http/list-route.js';

const count = z.int().nonnegative();

const certificate = z
  .object({
    certificateId: z.int(),
    at: moment,
    by: z.string().describe('Who requested it; `retention`: its time had come'),
    cause: z
      .enum(['reservation', 'driver', 'retention', 'photos'])
      .describe(
        '`reservation`: requested by ids of reservations or bookings; `driver`: by what identifies a person; `retention`: its time had come; `photos`: only photos, whose time comes before that of their reservations',
      ),
    reservations: z.array(z.int()).describe('Whose personal data was erased'),
    bookings: z
      .array(z.string())
      .nullable()
      .describe(
        'Command ids of bookings that were erased by themselves; null: an earlier release did not store them',
      ),
    holds: z.array(z.string()).nullable().describe('The same of holds'),
    counts: z
      .object({
        reservations: count,
        bookings: count,
        holds: count,
        keys: count.describe('Data keys that were destroyed'),
        photos: count.describe('Photos that were deleted'),
        bodies: count.describe('Bodies of callbacks that were deleted'),
        posts: count.describe('Posts to other systems that were deleted before they were accepted'),
        reasons: count.describe('Reasons that were deleted from the audit'),
        payloads: count.describe('Payloads in Temporal that became tombstones'),
        unreadable: count.describe(
          'Case files and holds that no key of CODEC_KEYS opened; they are erased too',
        ),
      })
      .describe('How many of each were destroyed, deleted or emptied'),
  })
  .describe('What was erased, when and by whom; nothing of the persons themselves');

export const certificateQuery = z.strictObject({ cursor: rowCursor, limit: pageLimit });
export const certificateList = listOf(certificate).describe('Certificates of erasures, the newest first');

const whatToErase =
  'give either `reservations`, 1 to 100 ids, or `bookings`, 1 to 100 command ids, or `driver`, a whole name, telephone or licence number';

const dryRun = z
  .boolean()
  .default(false)
  .describe(
    'True: erases nothing, and answers with what would be erased. Check a name first: others may have the same',
  );

export const erasureBody = z
  .union(
    [
      z.strictObject({ reservations: z.array(z.int().positive()).min(1).max(100), dryRun }),
      z.strictObject({
        bookings: z
          .array(z.string().min(1).max(200))
          .min(1)
          .max(100)
          .describe(
            'Command ids of bookings that became no reservation, such as a certificate names; others are refused',
          ),
        dryRun,
      }),
      z.strictObject({
        dryRun,
        driver: z
          .string()
          .trim()
          .min(1)
          .max(200)
          .describe(
            'A whole name, a telephone number or a licence number of a driver or companion. Where it finds more than 200, only a dry run is answered (`TOO_MANY_FOUND`)',
          ),
      }),
    ],
    { error: whatToErase },
  )
  .describe(
    'Reservations or bookings themselves, or the person whose reservations are found by keyed hashes',
  );

export const erasure = z
  .object({
    certificate: certificate.nullable().describe('Null: nothing was erased'),
    wouldErase: z
      .object({
        reservations: z.array(z.int()),
        bookings: z.array(z.string()).describe('Command ids of bookings that became no reservation'),
        holds: z.array(z.string()).describe('Holds that were open when their reservation was erased'),
      })
      .optional()
      .describe('Of a dry run'),
    refused: z.array(
      z.object({
        reservationId: z.int().optional(),
        commandId: z.string().optional().describe('Of a booking that became no reservation'),
        holdId: z.string().optional().describe('Of an open hold, also of a reservation that was erased'),
        code: z.enum(obstacleCodes).describe('Why it was not erased'),
        detail: z.string().describe('What to do about it'),
      }),
    ),
  })
  .describe('The outcome of an erasure');

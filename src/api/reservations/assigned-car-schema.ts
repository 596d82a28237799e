import { z } from 'zod';
import { car } from '../cars/schemas.js';
import { aged } from '../http/catalogue-fields.js';

export const assignedCar = z
  .object({
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    display: z.enum(['assigned-car', 'in-use']),
    car,
    parking: z.object({
      memo: z.string().nullable(),
      imageUrl: z.string().nullable().describe('An `http` or `https` address'),
      lotType: z.int().nullable(),
    }),
    ...aged,
  })
  .describe('The car that a channel shows its customer; where it stands is null for viewers');

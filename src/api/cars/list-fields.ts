import { z } from 'zod';

/** What an entry of a list states of the car that it is about. */
export const ofCar = {
  carId: z.int().nullable().describe('Of the reservation, where it is known, or that the entry names'),
  carNumber: z.string().nullable().describe('As the newest reservation of the car has it'),
};

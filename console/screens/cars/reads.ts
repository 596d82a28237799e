import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { readPages } from '../../api/read-pages.js';
import type { Car, CarSchedule } from '../../api/types.js';
import { type Resource, useResource } from '../../state/resource.js';

/** Of a larger fleet, a plate finds the others. */
const mostPages = 4;
/** The fleet changes by the platform's web site, too, which no stream reports. */
const fleetEveryMs = 5_000;
const visibleEveryMs = 30_000;
const scheduleEveryMs = 1_000;

export interface Fleet {
  cars: Car[];
  isWhole: boolean;
  unreadable: number;
  asOf: string;
  staleBecause: string | null;
}

/** Cars of the platform; by a part of the plate where one is given. */
export function useFleet(carNumber: string): Resource<Fleet> {
  return useResource(`fleet ${carNumber}`, {
    everyMs: fleetEveryMs,
    visibleEveryMs,
    load: async () => {
      const { items, isWhole, page } = await readPages(
        endpoints.cars,
        { query: { carNumber } },
        { mostPages },
      );
      const { unreadable, asOf, staleBecause } = page;
      return { cars: items, isWhole, unreadable, asOf, staleBecause };
    },
    concerns: () => false,
  });
}

/** What takes cars within a period, by car id: all, or these. */
export function useSchedule(
  from: number,
  to: number,
  carId?: readonly number[],
): Resource<ReadonlyMap<number, CarSchedule>> {
  return useResource<ReadonlyMap<number, CarSchedule>>(`schedule ${from} ${to} ${carId}`, {
    everyMs: scheduleEveryMs,
    load: async () => {
      const { items } = await readPages(endpoints.schedule, {
        query: { from: iso(from), to: iso(to), carId },
      });
      return new Map(items.map((car) => [car.carId, car]));
    },
    concerns: ({ event }) => ['reservation', 'hold', 'finding'].includes(event),
  });
}

const iso = (at: number) => new Date(at).toISOString();

export function useProduct(id: number) {
  return useResource(`product ${id}`, {
    visibleEveryMs,
    load: async () => (await send(endpoints.product, { params: { id } })).body,
    // one may take the car off sale
    concerns: ({ event }) => event === 'hold',
  });
}

export function useCar(id: number) {
  return useResource(`car ${id}`, {
    everyMs: scheduleEveryMs,
    // the platform's web site changes it, too
    visibleEveryMs,
    load: async () => (await send(endpoints.car, { params: { id } })).body,
    concerns: ({ event }) => event === 'hold',
  });
}

/** The reservations of a car that closed last. */
export function useClosed(carId: number) {
  return useResource(`closed ${carId}`, {
    visibleEveryMs,
    load: async () =>
      (await send(endpoints.reservations, { query: { closed: 'true', carId, limit: 10 } })).body,
    concerns: () => false,
  });
}

import { timestamp } from '../codecs/timestamp.js';

/** G18: the service's zone; it knows no daylight saving. */
export const zone = { name: 'Asia/Seoul', offsetMinutes: 540 };

/** Specification, Reservation: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, as `+0900`; G19: schedules use the same. */
export const moment = timestamp(zone.offsetMinutes, '');

/** Specification, POST /reservations: ISO 8601 with UTC offset, so with the colon: `+09:00` (G11). */
export const isoMoment = timestamp(zone.offsetMinutes, ':');

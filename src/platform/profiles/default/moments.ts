import { timestamp } from '../codecs/timestamp.js';
import { documentedDay } from '../codecs/values.js';

/** G18: the service's zone, without daylight saving time. */
export const zone = { name: 'Asia/Seoul', offsetMinutes: 540 };

/** The API document's description of a moment: both forms of the offset are read (G19). */
const offset = '(?:Z|[+-](?:0\\d|1[0-7]):?[0-5]\\d)';
const pattern = `^${documentedDay('-')}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?${offset}$`;

/** Specification, Reservation: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, so `+0900` without a colon. Schedules use the same form (G19). */
export const moment = timestamp(zone.offsetMinutes, '').meta({ pattern });

/** Specification, POST /reservations: ISO 8601 with UTC offset, so `+09:00` with a colon (G11). */
export const isoMoment = timestamp(zone.offsetMinutes, ':').meta({ pattern });

import { timestamp } from '../codecs/timestamp.js';
import { documentedDay } from '../codecs/values.js';

/** G18: the service's zone; it knows no daylight saving. */
export const zone = { name: 'Asia/Seoul', offsetMinutes: 540 };

/** What the document states of a moment: both offsets are read (G19). */
const offset = '(?:Z|[+-](?:0\\d|1[0-7]):?[0-5]\\d)';
const pattern = `^${documentedDay('-')}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?${offset}$`;

/** Specification, Reservation: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, as `+0900`; G19: schedules use the same. */
export const moment = timestamp(zone.offsetMinutes, '').meta({ pattern });

/** Specification, POST /reservations: ISO 8601 with UTC offset, so with the colon: `+09:00` (G11). */
export const isoMoment = timestamp(zone.offsetMinutes, ':').meta({ pattern });

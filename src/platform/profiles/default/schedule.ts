import { z } from 'zod';
import type { CarSchedules, Received, Schedule, ScheduleRequest } from '../../model.js';
import type { Schema } from '../../profile.js';
import { sentList, sentObject } from '../codecs/objects.js';
import { id, text } from '../codecs/values.js';
import { moment } from './moments.js';

const wire = sentObject(
  {
    scheduleId: id,
    carId: id,
    scheduleType: z.enum(['R', 'S']),
    startDateTimeStr: moment,
    endDateTimeStr: moment,
    reason: z.string(),
  },
  { gap: 'G08', gaps: { startDateTimeStr: 'G19', endDateTimeStr: 'G19' }, needs: [] },
);

/** G08. */
export const schedule: Schema<Received<Schedule>> = z.codec(wire, z.custom<Received<Schedule>>(), {
  decode: ({ startDateTimeStr, endDateTimeStr, ...rest }) => ({
    ...rest,
    startAt: startDateTimeStr,
    endAt: endDateTimeStr,
  }),
  encode: ({ startAt, endAt, ...rest }) => ({ ...rest, startDateTimeStr: startAt, endDateTimeStr: endAt }),
});

const requested = z.object({
  carId: id,
  startDateTimeStr: moment,
  endDateTimeStr: moment,
  reason: text,
});

/** Specification, Schedule operations; G42: PUT and POST have the same body. */
export const scheduleRequest: Schema<ScheduleRequest> = z.codec(requested, z.custom<ScheduleRequest>(), {
  decode: ({ carId, startDateTimeStr, endDateTimeStr, reason }) => ({
    carId,
    startAt: startDateTimeStr,
    endAt: endDateTimeStr,
    reason,
  }),
  encode: ({ startAt, endAt, ...rest }) => ({ ...rest, startDateTimeStr: startAt, endDateTimeStr: endAt }),
});

/** G09: one entry per car that has a schedule in the period. */
export const carSchedules: Schema<Received<CarSchedules>> = sentObject(
  {
    carId: id,
    carNumber: z.string(),
    detailModelName: z.string(),
    schedules: sentList(schedule),
  },
  { gap: 'G09', needs: [] },
);

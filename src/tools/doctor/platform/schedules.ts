import type * as m from '../../../platform/model.js';
import { knows } from '../../../platform/needed.js';
import { createCheck, type Finding, type GapId } from '../finding.js';
import type { Platform } from './ask.js';
import { checkList, checkObject, type May, type Read } from './lists.js';
import type { Misfit } from './misfits.js';
import { week } from './week.js';

const groups: Pick<Read, 'shows' | 'gapOf' | 'refusalShows' | 'needs'> = {
  shows: ['G08', 'G09', 'G18', 'G19'],
  gapOf: gapOfSchedule,
  refusalShows: ['G18'],
  needs: [
    'carId',
    'schedules',
    ...['scheduleId', 'scheduleType', 'startDateTimeStr', 'endDateTimeStr', 'reason'].map(
      (name) => `schedules.${name}`,
    ),
  ],
};
const entry: Pick<Read, 'shows' | 'gapOf' | 'needs'> = {
  shows: ['G08'],
  gapOf: () => 'G08',
  needs: ['startDateTimeStr', 'endDateTimeStr'],
};

/** The week to come, and one external schedule of it. */
export async function* checkSchedules(platform: Platform, may: May): AsyncGenerator<Finding> {
  const { profile } = platform;
  const list = may('listSchedules', 'GET /schedule');
  if (list === undefined) return;
  const all = yield* checkList<m.CarSchedules>(platform, { ...list, ...groups, query: { ...week(profile) } });
  const entries = all.flatMap(
    ({ schedules }: m.Received<m.CarSchedules>) => (schedules ?? []) as m.Schedule[],
  );
  yield* checkReservationEntries(entries, profile.behaviour.reservationScheduleReason);
  const one = may('getSchedule', 'GET /schedule/{id}');
  if (one === undefined) return;
  const external = entries.find((one) => one.scheduleType === 'S' && knows(one, 'scheduleId'));
  if (external === undefined)
    yield createCheck('wire profile', one.title).skip('no external schedule (S) in the week to come to read');
  else yield* checkObject(platform, { ...one, ...entry, params: { id: external.scheduleId } });
}

/** Entries are nested in their car's group. */
function gapOfSchedule({ path }: Misfit): GapId {
  const names = path.filter((part): part is string => typeof part === 'string');
  const last = names.at(-1) ?? '';
  if (names.length < 2) return 'G09';
  return /date|time/i.test(last) ? 'G19' : 'G08';
}

/** G08: R entries carry the reason that the profile names. */
function* checkReservationEntries(entries: readonly m.Schedule[], reason: string): Generator<Finding> {
  const ofReservations = entries.filter(({ scheduleType }) => scheduleType === 'R');
  const other = ofReservations.filter((entry) => entry.reason !== reason).length;
  if (other > 0)
    yield createCheck('wire profile', 'R schedules').warn(
      `${other} of ${ofReservations.length} carry another reason than ${JSON.stringify(reason)}`,
      { gaps: ['G08'] },
    );
}

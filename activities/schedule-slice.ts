import { cancellationSignal } from '@temporalio/activity';
import type { SliceActivity } from '../src/contract/reconciliation.js';
import { commandRole } from '../src/contract/role.js';
import type { HandoverDb } from '../src/db/handover.js';
import { keepSlice } from '../src/findings/reads.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { RoleDeps } from './roles.js';
import { scanRead } from './scans.js';

/** An answer about every car takes longer than one about a reservation. */
const deadlineMs = 45_000;

/** GET /schedule of some days (G18): its R entries go into the database, for they may be tens of thousands. */
export function sliceActivity(platform: PlatformClient, roles: RoleDeps, db: HandoverDb): SliceActivity {
  const read = scanRead(roles);
  return {
    async readScheduleSlice({ run, index, slice: { startDate, endDate } }) {
      const at = Date.now();
      const groups = await read(commandRole, () =>
        platform.listSchedules(
          { startDate, endDate },
          { as: commandRole, signal: cancellationSignal(), deadlineMs },
        ),
      );
      const entries = groups.flatMap(({ schedules }) =>
        schedules
          .filter(({ scheduleType }) => scheduleType === 'R')
          .map(({ scheduleId, carId, startAt, endAt }) => ({
            scheduleId,
            carId,
            start: startAt,
            end: endAt,
          })),
      );
      await keepSlice(db, { run, index }, entries, at);
      return entries.length;
    },
  };
}

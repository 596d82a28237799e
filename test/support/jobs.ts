import type { Reservation } from '../../console/api/types.js';
import { type Job, toJob } from '../../console/screens/go/job.js';

/** The job of a reservation that has this status and nothing else. */
export const jobAt = (code: number | null): Job =>
  toJob(
    {
      status: { code, since: 'return' },
      period: { start: 'start', end: 'end' },
      pickup: {},
      parking: { memo: null },
      dispatch: {},
      recall: {},
      actions: [],
    } as unknown as Reservation,
    false,
    'en',
  );

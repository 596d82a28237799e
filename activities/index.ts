import type { Activities } from '../src/contract/activities.js';
import type { CaseFile, RecordInput } from '../src/contract/reservation.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { bookActivity } from './book.js';
import { commandActivities, type ReadPhoto } from './commands.js';
import { probeActivity, type RoleDeps, roleActivities } from './roles.js';

export interface ActivityDeps {
  platform: PlatformClient;
  readPhoto: ReadPhoto;
  /** Writes verdicts and timeline rows in one transaction. */
  record(input: RecordInput): Promise<void>;
  /** Keeps the case file of a closed reservation. */
  closeCase(file: CaseFile): Promise<void>;
  roles: RoleDeps;
}

/** The activities that a worker registers. They hold nothing but the clients given here. */
export function createActivities({ platform, readPhoto, roles, ...rows }: ActivityDeps): Activities {
  return {
    ...commandActivities(platform, readPhoto, roles.gate),
    ...roleActivities(roles),
    ...probeActivity(platform),
    book: bookActivity(platform, roles.gate),
    ...rows,
  };
}

import { tellRole } from '../../activities/roles.js';
import type { FleetDeps } from '../api/fleet-deps.js';
import { temporalCarWrites } from '../api/temporal/car-writes.js';
import { createCatalogue } from '../catalogue/catalogue.js';
import { watchChanges } from '../catalogue/changes.js';
import { taskQueue } from '../contract/names.js';
import type { HandoverDatabase, HandoverDb } from '../db/handover.js';
import type { Sealer } from '../sealing/sealer.js';
import { rolesOf } from './alerts-part.js';
import { startPlatformClient } from './platform.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';
import type { TemporalClient } from './temporal.js';

export interface FleetPartDeps {
  temporal: TemporalClient;
  db: HandoverDb;
  sealer: Sealer;
  session: HandoverDatabase['session'];
  /** Absent: this process reads no platform, and every role is off for it. */
  platformUrl: string | undefined;
  clock?: (() => number) | undefined;
}

/** Starts what the fleet's paths work with: the catalogue with its platform client, and the writes on cars. */
export async function startFleetPart(
  setting: Setting,
  stack: Stack,
  { temporal, db, sealer, session, platformUrl, clock }: FleetPartDeps,
): Promise<FleetDeps> {
  const { config, policy, profile, log } = setting;
  const roles = platformUrl === undefined ? [] : policy.roles;
  // without an address no role is on, and nothing is sent
  const baseUrl = platformUrl ?? 'http://platform.invalid';
  const platform = await startPlatformClient(setting, stack, { baseUrl });
  const { gate, settings } = rolesOf(config, { temporal, db, sealer });
  const catalogue = createCatalogue(platform, {
    roles,
    gate,
    refused: (role, code) => {
      const suspension = { role, reservationId: null, code };
      tellRole({ client: temporal.client, settings }, taskQueue, suspension).catch(() =>
        log.warn({ role, code }, 'a refused key could not be told'),
      );
    },
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    freshMs: config.catalogueFreshMs,
    ...(clock !== undefined && { clock }),
  });
  await stack.start(
    'watch on changes of cars',
    async () => watchChanges(session, catalogue.forgetWritten, { log }),
    (watch) => watch.stop(),
  );
  return { roles, catalogue, carWrites: temporalCarWrites(temporal.client) };
}

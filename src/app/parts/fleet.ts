import type { Fleet } from '../../api/deps.js';
import { createCatalogue } from '../../platform/catalogue/catalogue.js';
import { watchChanges } from '../../store/cars/changes.js';
import { createCarWriteRows } from '../../store/cars/writes.js';
import type { HandoverDatabase, HandoverDb } from '../../store/handover.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { temporalCarWrites } from '../../temporal/client/cars/writes.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { notifyRole } from '../../temporal/client/roles.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { rolesOf } from './alerts.js';
import { startPlatformClient } from './platform.js';

export interface FleetPartDeps {
  temporal: TemporalClient;
  prompt: HandoverDb;
  sealer: Sealer;
  session: HandoverDatabase['session'];
  /** Absent: this process reads no platform, and every role is off for it. */
  platformUrl: string | undefined;
  clock?: (() => number) | undefined;
}

/** Starts the dependencies of the fleet's paths: the catalogue with its platform client, and the writes on cars. */
export async function startFleetPart(
  setting: Setting,
  stack: Stack,
  { temporal, prompt, sealer, session, platformUrl, clock }: FleetPartDeps,
): Promise<Fleet> {
  const { policy, profile, log } = setting;
  const roles = platformUrl === undefined ? [] : policy.roles;
  // without an address no role is on, and nothing is sent
  const baseUrl = platformUrl ?? 'http://platform.invalid';
  const platform = await startPlatformClient(setting, stack, { baseUrl });
  const roleDeps = rolesOf(setting, { temporal, prompt, sealer });
  const catalogue = createCatalogue(platform, {
    roles,
    gate: roleDeps.gate,
    refused: (role, code) => {
      const suspension = { role, reservationId: null, code };
      notifyRole(roleDeps, suspension).catch(() =>
        log.warn({ role, code }, 'a refused key could not be reported'),
      );
    },
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    ...(clock !== undefined && { clock }),
  });
  await stack.start(
    'watch on changes of cars',
    async () => watchChanges(session, catalogue.forgetWritten, { log }),
    (watch) => watch.stop(),
  );
  return {
    roles,
    catalogue,
    carWrites: temporalCarWrites(temporal.client, { rows: createCarWriteRows(prompt, sealer) }),
  };
}

import { randomBytes } from 'node:crypto';
import { loadConfig, policyOf } from '../../../app/config/index.js';
import type { Logger } from '../../../app/log.js';
import { createMismatches } from '../../../app/parts/mismatches.js';
import type { Setting } from '../../../app/startup/setting.js';
import { loadProfile } from '../../../platform/profiles/index.js';
import type { CodecKey } from '../../../store/sealing/codec-key.js';
import type { Scenario } from '../format/read.js';

const secret = () => randomBytes(24).toString('base64url');

/** Who may ask what on a stage; made anew for each, for nobody else ever asks there. */
export const tokens = { staff: secret(), manager: secret() };
export const platformKeys = { channel: secret(), supplier: secret() };
const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
/** The company of the sandbox's small fleet whose key the stage has. */
const companyId = 11;

const durations: Record<keyof Scenario['policy'], string> = {
  dispatchLead: 'HANDOVER_DISPATCH_LEAD',
  overdueGrace: 'HANDOVER_OVERDUE_GRACE',
  lateLadder: 'HANDOVER_LATE_LADDER',
  recallOverdue: 'HANDOVER_RECALL_OVERDUE',
  notAnnounced: 'HANDOVER_NOT_ANNOUNCED',
  incomplete: 'HANDOVER_INCOMPLETE',
  ambiguous: 'HANDOVER_AMBIGUOUS',
  settle: 'HANDOVER_SETTLE',
  holdProposal: 'HANDOVER_HOLD_PROPOSAL',
  dangerLead: 'HANDOVER_DANGER_LEAD',
  keyProbe: 'HANDOVER_KEY_PROBE',
};

/** The product's configuration for one scenario, read as from an environment: its roles and durations, free ports. */
export async function settingFor(
  { roles, policy }: Pick<Scenario, 'roles' | 'policy'>,
  place: { dataDir: string; keys: readonly CodecKey[]; log: Logger; alertUrl: string },
): Promise<Setting> {
  const iso = (ms: number | number[] | undefined): string =>
    [ms ?? []]
      .flat()
      .map((one) => `PT${one / 1000}S`)
      .join(',');
  const env: NodeJS.ProcessEnv = {
    HANDOVER_DATA_DIR: place.dataDir,
    HANDOVER_PORT: '0',
    SANDBOX_PORT: '0',
    HANDOVER_TOKENS: `staff:${tokens.staff}:desk,manager:${tokens.manager}:manager`,
    CALLBACK_SECRETS: callbackSecret,
    SANDBOX_CALLBACK_SECRET: callbackSecret,
    SANDBOX_KEYS: `channel:${platformKeys.channel},supplier:${platformKeys.supplier}:${companyId}`,
    ...(roles.includes('channel') && { PLATFORM_CHANNEL_API_KEY: platformKeys.channel }),
    ...(roles.includes('supplier') && { PLATFORM_SUPPLIER_API_KEY: platformKeys.supplier }),
    ALERT_URL: place.alertUrl,
    ALERT_SECRET: callbackSecret,
    CODEC_KEYS: place.keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(','),
    ...Object.fromEntries(
      Object.entries(durations).map(([name, variable]) => [
        variable,
        iso(policy[name as keyof Scenario['policy']]),
      ]),
    ),
  };
  const config = loadConfig(env);
  const profile = await loadProfile(config.wireProfile);
  return {
    config,
    profile,
    policy: policyOf(config, profile),
    log: place.log,
    env,
    mismatches: createMismatches(place.log),
  };
}

import { randomBytes } from 'node:crypto';
import { loadConfig, policyOf } from '../../../app/config/index.js';
import type { Logger } from '../../../app/log.js';
import { createMeasures } from '../../../app/metrics/measures.js';
import type { Setting } from '../../../app/startup/setting.js';
import type { Policy } from '../../../domain/reservation/types.js';
import { loadProfile } from '../../../platform/profiles/index.js';
import type { CodecKey } from '../../../store/sealing/codec-key.js';
import type { Scenario } from '../format/read.js';

const secret = () => randomBytes(24).toString('base64url');

/** The tokens of a stage; made again for each, because no other client uses it. */
export const tokens = { staff: secret(), manager: secret() };
export const platformKeys = { channel: secret(), supplier: secret() };
const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`;
/** The company of the sandbox's small fleet whose key the stage has. */
const companyId = 11;

/** The product's setting for one scenario: its roles and durations, free ports. */
export async function settingFor(
  { roles, policy: { keyProbe, ...durations } }: Pick<Scenario, 'roles' | 'policy'>,
  place: { dataDir: string; keys: readonly CodecKey[]; log: Logger; alertUrl: string },
): Promise<Setting> {
  const env: NodeJS.ProcessEnv = {
    HANDOVER_DATA_DIR: place.dataDir,
    HANDOVER_PORT: '0',
    SANDBOX_PORT: '0',
    HANDOVER_TOKENS: `staff:${tokens.staff}:staff,manager:${tokens.manager}:manager`,
    CALLBACK_SECRETS: callbackSecret,
    SANDBOX_CALLBACK_SECRET: callbackSecret,
    SANDBOX_KEYS: `channel:${platformKeys.channel},supplier:${platformKeys.supplier}:${companyId}`,
    ...(roles.includes('channel') && { PLATFORM_CHANNEL_API_KEY: platformKeys.channel }),
    ...(roles.includes('supplier') && { PLATFORM_SUPPLIER_API_KEY: platformKeys.supplier }),
    ALERT_URL: place.alertUrl,
    ALERT_SECRET: callbackSecret,
    CODEC_KEYS: place.keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(','),
  };
  const given = loadConfig(env);
  const config = keyProbe === undefined ? given : { ...given, keyProbeMs: keyProbe };
  const profile = await loadProfile(config.wireProfile);
  return {
    config,
    profile,
    policy: { ...policyOf(config, profile), ...toPolicy(durations) },
    log: place.log,
    env,
    measures: createMeasures(place.log),
  };
}

/** A scenario names each duration as the policy does, without the unit. */
function toPolicy(durations: Omit<Scenario['policy'], 'keyProbe'>): Partial<Policy> {
  return Object.fromEntries(Object.entries(durations).map(([name, ms]) => [`${name}Ms`, ms]));
}

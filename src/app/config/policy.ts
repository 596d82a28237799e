import type { Policy } from '../../domain/reservation/types.js';
import type { WireProfile } from '../../platform/profile.js';
import type { Config } from './types.js';

/**
 * The policy that reservations start with (lifecycle rules, Time): the configured durations, the roles that have
 * a key, the service's zone (G18) and the legal moves (G38) of the wire profile.
 */
export function policyOf(config: Config, profile: WireProfile): Policy {
  const { channelKey, supplierKey } = config.platform;
  return {
    roles: [
      ...(channelKey === undefined ? [] : (['channel'] as const)),
      ...(supplierKey === undefined ? [] : (['supplier'] as const)),
    ],
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    ...config.durations,
    lateLadderMs: [...config.durations.lateLadderMs],
    signalsPerRun: 500,
    historyEventsPerRun: config.historyEventsPerRun,
    fromStates: Object.fromEntries(
      Object.entries(profile.behaviour.fromStates).map(([code, from]) => [code, [...from]]),
    ),
  };
}

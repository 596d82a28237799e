import type { Policy } from '../../domain/reservation/types.js';
import type { WireProfile } from '../../platform/profile.js';
import type { Config } from './types.js';

const minute = 60_000;

/** How long the callback of a no-show may take after the end (L42). */
const overdueGraceMs = 3 * minute;
/** How long the callback of an accepted command may take (L46). */
const notAnnouncedMs = 10 * minute;
/** How long a reservation may lack its registration (L05). */
const incompleteMs = 10 * minute;
/** How long values of unknown order may last before an attention item asks staff to decide (L13). */
const ambiguousMs = 24 * 60 * minute;
/** A run continues as new after this many history events, which another worker replays within seconds. */
const historyEventsPerRun = 1_000;
/** The server suggests a new run by events alone, and refuses signals from 10,000 on. */
const signalsPerRun = 500;

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
    overdueGraceMs,
    notAnnouncedMs,
    incompleteMs,
    ambiguousMs,
    signalsPerRun,
    historyEventsPerRun,
    fromStates: Object.fromEntries(
      Object.entries(profile.behaviour.fromStates).map(([code, from]) => [code, [...from]]),
    ),
  };
}

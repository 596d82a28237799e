import type { WireProfile } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';

/** Where a file proves its part over HTTP: the suite under the default profile, the long lane under the contrary one. */
export const wireProfiles: readonly WireProfile[] = [
  process.env.HANDOVER_TEST_LONG === '1' ? contraryProfile : defaultProfile,
];

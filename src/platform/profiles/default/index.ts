import type { WireProfile } from '../../profile.js';
import { behaviour } from './behaviour.js';
import { callbacks } from './callbacks.js';
import { errors } from './errors.js';
import { zone } from './moments.js';
import { operations } from './operations.js';

/** The default choice for every point that the specification leaves open (docs/gap-ledger.md). */
export const defaultProfile: WireProfile = {
  name: 'default',
  zone,
  operations,
  errors,
  callbacks,
  behaviour,
  differs: [],
};

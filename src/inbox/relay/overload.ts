import { availableParallelism } from 'node:os';
import { Rate } from './rate.js';

/** Callbacks that one core applies beside its other work, with a reserve (docs/intake-figures.md has the measurement). */
const perSecondAndCore = 100;

/**
 * Whether callbacks come to the receiver of this process faster than its machine applies them: each stored callback is
 * recorded. Then the relay of the same process sends less: a sender waits only five seconds (G33), a backlog can wait.
 */
export const callbackOverload = (): Rate => new Rate(perSecondAndCore * availableParallelism());

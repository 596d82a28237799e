export { type Check, type Comparison, compare } from './compare.js';
export {
  countsFromReads,
  type FindingKind,
  findingKinds,
  type OpenFinding,
  type Review,
  review,
  type Seen,
} from './findings.js';
export { type DatedSlice, slicesOf, type WindowSettings } from './slices.js';
export { type Word, wordFor } from './tell.js';
export type { BelievedReservation, SliceRead } from './world.js';

export { type Check, compare } from './compare.js';
export { type Notice, noticeFor } from './evidence.js';
export {
  countsFromReads,
  type FindingKind,
  findingKinds,
  type OpenFinding,
  type Review,
  review,
} from './findings.js';
export { type DatedSlice, type ReadingPeriod, slicesOf } from './slices.js';
export type { BelievedReservation, SliceRead, UnreadOf } from './world.js';

import type {
  HoldAuditEntry,
  HoldCommandView,
  HoldFacts,
  HoldRequest,
  HoldState,
  HoldView,
} from '../domain/hold/index.js';

export const holdWorkflow = 'hold';

/** One hold, one workflow id: accepting a proposal twice, or repeating a request, makes one hold. */
export function holdWorkflowId(holdId: string): string {
  return `hold-${holdId}`;
}

/** Start argument of the hold workflow; `carried` is set by continue-as-new only. */
export interface HoldStart {
  request: HoldRequest;
  zoneOffsetMinutes: number;
  historyEventsPerRun: number;
  carried?: CarriedHold;
}

/** What a run passes to the next: plain JSON. */
interface CarriedHold {
  state: HoldState;
  /** The facts that the row was last written with. */
  recorded: string;
  /** Steps done so far: each has an identity of its own. Absent: by 0.2.0, which did not count. */
  steps?: number;
  /** Where the count began again after 0.2.0: the run in which it did. */
  series?: string;
}

export const holdQuery = 'hold';
/** Update without an argument: the hold once all is in place, or it is refused; as it stands after 7 s. */
export const awaitHoldUpdate = 'awaitHold';
/** Updates: argument `ChangeHold` or `EndHold`; the result is its outcome within 7 s. */
export const changeHoldUpdate = 'changeHold';
export const releaseHoldUpdate = 'releaseHold';
export const resolveHoldUpdate = 'resolveHold';

export interface HoldCommandResult {
  command: HoldCommandView;
  hold: HoldView;
}

/** Argument of the `recordHold` activity: row, audit and alert, idempotent. */
export interface HoldRecord {
  /** When it was written, an instant: of two the later counts. */
  at: number;
  facts: HoldFacts;
  view: HoldView;
  audit: HoldAuditEntry[];
}

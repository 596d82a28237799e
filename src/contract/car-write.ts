/** How a car memo ended; `unknown`: nobody could see whether it is there. The message is ours, never personal. */
export type MemoOutcome =
  | { outcome: 'applied'; memoId: number }
  | { outcome: 'rejected'; code: string; message: string; platformMessage?: string }
  | { outcome: 'unknown'; code: string; message?: string };

/** What one press changes about a car. */
export type CarWrite =
  | { kind: 'sale-status'; productId: number; carId: number; saleYn: 'Y' | 'N'; reason: string }
  | { kind: 'memo'; carId: number; content: string };

/** Start argument of the workflow of one such press (`write-{commandId}`). */
export interface CarWriteStart {
  commandId: string;
  /** The token's name. */
  by: string;
  write: CarWrite;
}

/** `before`: the sale status as it was read first. */
export type SaleStatusResult =
  | { outcome: 'applied'; saleYn: 'Y' | 'N'; before: 'Y' | 'N' }
  | Exclude<MemoOutcome, { outcome: 'applied' }>;

/** How it ended: as the platform took it, its refusal, or nobody knows. */
export type CarWriteResult = SaleStatusResult | MemoOutcome;

export const carWriteWorkflow = 'carWrite';
/** Query: how it ended; null: not known yet. */
export const carWriteQuery = 'carWrite';
/** Update without an argument: the same once it is known, whether or not the database takes its entry of the audit. */
export const awaitCarWriteUpdate = 'awaitCarWrite';

/** The caller's command id makes the workflow unique, so pressing twice writes once. */
export function carWriteWorkflowId(commandId: string): string {
  return `write-${commandId}`;
}

import type { Ended } from '../domain/shared/outcome.js';

/** What one request changes about a car. */
export type CarWrite =
  | { kind: 'sale-status'; productId: number; carId: number; saleYn: 'Y' | 'N'; reason: string }
  | { kind: 'memo'; carId: number; content: string };

/** Start argument of the workflow of one such request (`write-{commandId}`). */
export interface CarWriteStart {
  commandId: string;
  /** The token's name. */
  by: string;
  write: CarWrite;
}

/** How such a write ended. */
export type CarWriteResult = Ended<Memo | SaleStatus>;
export interface Memo {
  memoId: number;
}
/** `before`: the sale status as it was read first. */
export interface SaleStatus {
  saleYn: 'Y' | 'N';
  before: 'Y' | 'N';
}

export const carWriteWorkflow = 'carWrite';
/** Query: how it ended; null: not known yet. */
export const carWriteQuery = 'carWrite';
/** Update without an argument: the same once it is known, whether or not the database takes its entry of the audit. */
export const awaitCarWriteUpdate = 'awaitCarWrite';

/** The caller's command id makes the workflow unique, so a repeated request writes once. */
export function carWriteWorkflowId(commandId: string): string {
  return `write-${commandId}`;
}

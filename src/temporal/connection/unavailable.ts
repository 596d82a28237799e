import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { NamespaceNotFoundError, WorkflowNotFoundError } from '@temporalio/common';

/**
 * Temporal cannot be reached, or sent no usable answer in time. The request itself is valid. `code` is that of the failed call
 * (`engineCode`), or one of its own where the answer cannot be used: `QUERY_FAILED` and `QUERY_REJECTED` of a query; `NOT_FOUND`
 * of a workflow that has been started and cannot be read; `ALREADY_EXISTS` where other processes start the same id meanwhile.
 */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`Temporal is unavailable (${code})`, options);
  }
}

/**
 * The connection is known to be down, so Handover refused the call at once. The error has the form of gRPC's own, so
 * that all code that reads gRPC errors recognises it.
 */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** gRPC's UNAVAILABLE. */
  readonly code = 14;
  readonly details = 'not connected';
  readonly metadata = {};
  constructor() {
    super('Temporal is not connected');
  }
}

/** gRPC status codes by number. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

/** How a frontend refuses a start with a search attribute that it does not know yet: for up to a minute after the registration. */
const unregistered = /no mapping defined for search attribute|search attribute \S+ is not defined/i;

/**
 * The code of a failed Temporal call: the name of the gRPC status, `NAMESPACE_NOT_FOUND`, `SEARCH_ATTRIBUTE_UNKNOWN`, or
 * `NOT_CONNECTED` where nothing was sent. Null: the failure is not Temporal's.
 */
export function engineCode(error: unknown): string | null {
  if (error instanceof NotConnectedError) return 'NOT_CONNECTED';
  const grpc = [error, error instanceof Error ? error.cause : undefined].find(isGrpcServiceError);
  if (grpc !== undefined && unregistered.test(grpc.details)) return 'SEARCH_ATTRIBUTE_UNKNOWN';
  if (grpc !== undefined) return statusNames[grpc.code] ?? String(grpc.code);
  if (error instanceof NamespaceNotFoundError) return 'NAMESPACE_NOT_FOUND';
  if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
  // an answer that cannot be read
  return error instanceof ServiceError ? 'UNKNOWN' : null;
}

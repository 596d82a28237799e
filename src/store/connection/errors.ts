/** The database cannot be opened or does not answer. The message is for the person who starts Handover. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  constructor(
    readonly code:
      | 'DATA_FOLDER_IN_USE'
      | 'DATA_FOLDER_UNWRITABLE'
      | 'DATABASE_UNREACHABLE'
      | 'DATABASE_SILENT'
      | 'DATABASE_UNREADABLE'
      | 'DATABASE_MIGRATING'
      | 'DATABASE_NOT_MIGRATED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Messages of errors without a code, which pg throws where the server gave no answer in time. */
const gaveUp = new Set([
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

/**
 * The code of a driver's error: SQLSTATE, a system error (`ECONNREFUSED`), `DATABASE_SILENT` after a timeout,
 * `CONNECTION_ENDED` where the server closed it, otherwise `UNKNOWN`. Log this code and never the message: Drizzle writes
 * the statement's parameters into it, which may be personal data (L60).
 */
export function databaseErrorCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && code !== '') return code;
    if (gaveUp.has(at.message)) return 'DATABASE_SILENT';
    if (at.message === 'Connection terminated unexpectedly') return 'CONNECTION_ENDED';
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return databaseErrorCode(at.errors[0]);
  }
  return 'UNKNOWN';
}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_ENDED',
  'COMMIT_ABANDONED',
  'DATABASE_SILENT',
  // it ends, has crashed, or starts; no connection is left
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** True where the database refused a connection, ended one, or gave no answer: the same statement may succeed when it is back. */
export function isDatabaseAway(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return awayCodes.has(code) || code.startsWith('08');
}

/** True where the statement's own values were refused (SQLSTATE classes 21, 22, 23): trying again cannot help. */
export function isDataError(error: unknown): boolean {
  return /^2[123][0-9A-Z]{3}$/.test(databaseErrorCode(error));
}

/** True after a conflict with another transaction (a deadlock, serialisation): the same statement may succeed now. */
export function isConflict(error: unknown): boolean {
  return /^40/.test(databaseErrorCode(error));
}

/** True where the statement exceeded a time limit, for a lock or in total: it may succeed now. */
export function isStatementTimeout(error: unknown): boolean {
  return ['55P03', '57014'].includes(databaseErrorCode(error));
}

/** True where the statement waited for a lock in vain, or two waited for each other: it may succeed now. */
export function isLockedOut(error: unknown): boolean {
  return ['55P03', '40P01'].includes(databaseErrorCode(error));
}

/** The embedded database ended by itself. */
export function notOpenError(): DatabaseError {
  return new DatabaseError(
    'DATABASE_SILENT',
    'the embedded database is not open; Handover opens it again by itself',
  );
}

/** The tables of `database` (an address without secrets, or a folder) cannot be brought up to date. */
export function outdatedError(database: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'DATABASE_NOT_MIGRATED',
    `the tables in ${database} cannot be brought up to date (${databaseErrorCode(cause)}); check that its user may create tables and that no newer Handover made it`,
    { cause },
  );
}

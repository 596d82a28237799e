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
      | 'DATABASE_NOT_MIGRATED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What pg throws, without a code, where the server gave no answer in time. */
const gaveUp = new Set([
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

/**
 * The code of what a driver threw: SQLSTATE, the system's (`ECONNREFUSED`), or `DATABASE_SILENT` where it gave up waiting; `UNKNOWN`
 * otherwise. Log this and
 * never the message: Drizzle writes the statement's parameters into it, and those may be personal data (L60).
 */
export function databaseErrorCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && code !== '') return code;
    if (gaveUp.has(at.message)) return 'DATABASE_SILENT';
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return databaseErrorCode(at.errors[0]);
  }
  return 'UNKNOWN';
}

/** True where the statement's own values were refused (SQLSTATE classes 21, 22, 23): trying again cannot help. */
export function isDataError(error: unknown): boolean {
  return /^2[123][0-9A-Z]{3}$/.test(databaseErrorCode(error));
}

/** True where another transaction was in the way (a deadlock, serialisation): the same statement may succeed now. */
export function isConflict(error: unknown): boolean {
  return /^40/.test(databaseErrorCode(error));
}

/** True where the statement waited longer than it may, for a lock or in all: it may succeed now. */
export function isStatementTimeout(error: unknown): boolean {
  return ['55P03', '57014'].includes(databaseErrorCode(error));
}

/** The tables of `database` (an address without secrets, or a folder) cannot be brought up to date. */
export function outdated(database: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'DATABASE_NOT_MIGRATED',
    `the tables in ${database} cannot be brought up to date (${databaseErrorCode(cause)}); check that its user may create tables and that no newer Handover made it`,
    { cause },
  );
}

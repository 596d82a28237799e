import { DatabaseError } from '../errors.js';

export function notOpenError(): DatabaseError {
  return new DatabaseError(
    'DATABASE_SILENT',
    'the embedded database ended, and opens again when its disk has room',
  );
}

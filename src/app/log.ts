import { type Logger, pino } from 'pino';

import type { CountingDestination } from './log-file.js';

export type { Logger };

/**
 * Fields that may hold personal data or secrets (L60). They are removed wherever they occur in a logged object:
 * code logs ids, codes and counts, and this list is a second protection.
 */
const redacted = [
  'authorization',
  'body',
  'driver',
  'companion',
  'companionInfo',
  'staff',
  'staffName',
  'staffPhone',
  'phone',
  'birth',
  'name',
  'address',
  'memo',
  'reason',
  'raw',
  'secret',
  'token',
];

/** The one log stream: JSON lines on `destination` (default: standard error). */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const paths = redacted.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const options: pino.LoggerOptions = {
    level,
    base: null,
    redact: { paths: [...paths, 'req.headers.authorization'], remove: true },
  };
  return pino(options, destination ?? openStandardError());
}

const mostBuffered = 8 * 1024 * 1024;

/** Standard error, buffered. Where it cannot be written, lines are dropped and counted instead of ending the process. */
export function openStandardError(): CountingDestination {
  const stream = pino.destination({ dest: 2, sync: false, maxLength: mostBuffered });
  let lost = 0;
  stream.on('drop', () => lost++);
  // the stream still has the line, and writes it with the next one
  stream.on('error', () => undefined);
  return {
    write: (line) => void stream.write(line),
    get lost() {
      return lost;
    },
  };
}

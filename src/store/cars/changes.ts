import type { Logger } from 'pino';
import { databaseErrorCode } from '../connection/errors.js';
import { keepListening, type Listener } from '../connection/listener.js';
import type { Session } from '../connection/session.js';

/** Notified after a write on a car by any process. */
export const carsChannel = 'handover_cars';

/**
 * Calls `onChange` at every write on a car, and whenever one may have been missed. A lost session is opened again; until
 * then cached answers expire by their age alone.
 */
export function watchChanges(
  session: () => Promise<Session>,
  onChange: () => void,
  { log, ...pause }: { log: Pick<Logger, 'warn'>; againMs?: number },
): Pick<Listener, 'stop'> {
  return keepListening(
    session,
    { [carsChannel]: onChange },
    {
      onOpened: onChange,
      onFailed: (error) => log.warn({ code: databaseErrorCode(error) }, 'changes of cars are not received'),
      ...pause,
    },
  );
}

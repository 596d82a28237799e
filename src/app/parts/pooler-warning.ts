import { notificationsArrive } from '../../store/connection/notifications-arrive.js';
import type { HandoverDatabase } from '../../store/handover.js';
import type { Logger } from '../log.js';

/** Logs a warning where a pooler in front of the database removes session features: everything works, but slower. */
export async function warnOfPooler(
  database: Pick<HandoverDatabase, 'session' | 'notify'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  // a database that does not answer is reported by everything else that uses it
  const arrive = await notificationsArrive(database).catch(() => true);
  if (!arrive)
    log.warn(
      { code: 'SESSION_FEATURES_MISSING' },
      'DATABASE_URL leads to a pooler in transaction mode: notifications do not arrive, so the relay polls, other processes show changed cars later, consoles read everything every few seconds, and another relay takes over 12 s after a killed one; give a direct connection or session pooling',
    );
}

import { identityOf } from '../../domain/reservation/entry-identity.js';
import type { TimelineEntry } from '../../domain/reservation/types.js';
import type { Sentence } from '../../domain/shared/message.js';
import type { Post } from '../outbox/enqueue.js';
import type { AlertKind } from './kinds.js';
import { placeOfAlert, placeOfReservation } from './places.js';

/** Both instants; a post writes them in UTC, `2026-11-21T00:00:00.000Z`. */
interface Moments {
  /** Since when the condition holds. */
  since: number;
  /** When it was raised or cleared. */
  at: number;
}

function toTimes({ since, at }: Moments) {
  return { since: new Date(since).toISOString(), at: new Date(at).toISOString() };
}

interface AlertRow {
  kind: AlertKind;
  subject: string;
  /** In English. */
  message: string;
  /** The same as code and data; null: it has none. */
  said: Sentence | null;
}

/** A raised or cleared alert that belongs to no reservation, as it goes to ALERT_URL. @param id its row */
export function alertPost(
  id: number,
  change: 'raised' | 'cleared',
  { kind, subject, message, said, ...moments }: AlertRow & Moments,
): Post {
  return {
    key: `alert-${kind}-${subject}`,
    messageId: `alert-${id}-${change}`,
    createdAt: moments.at,
    body: {
      type: `alert.${change}`,
      kind,
      subject,
      ...toTimes(moments),
      message,
      path: placeOfAlert(kind, said),
    },
  };
}

/** The post of a timeline entry that raises or clears an attention item; none for another entry. */
export function attentionPost(reservationId: number, entry: TimelineEntry): Post[] {
  const { at, attention } = entry;
  if (attention === undefined) return [];
  const { kind, change, again, since, alert: message } = attention;
  const body = {
    type: `attention.${change}`,
    kind,
    reservationId,
    ...(again && { again }),
    ...toTimes({ since, at }),
    message,
    path: placeOfReservation(reservationId),
  };
  const messageId = `attention-${reservationId}-${identityOf(entry)}`;
  return [{ key: `reservation-${reservationId}`, messageId, createdAt: at, body }];
}

import type { Locale } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { Booking, EventChannel, Judged } from '../../types.js';
import { named } from './names.js';

const channelNames: Readonly<Record<EventChannel, string>> = {
  registration: 'Registration',
  update: 'Update',
  car: 'Car change',
  status: 'Status webhook',
};
const verdictTexts: Readonly<Record<Judged, string>> = {
  applied: 'applied',
  duplicate: 'already known, nothing changes',
  stale: 'older than what is known, so it only fills gaps',
  'after-terminal': 'the reservation has ended, and its end stands',
  conflict: 'it contradicts earlier reports',
  'unknown-status': 'the status is unknown, and the last known one stays',
};

/** What an event is called: its callback and status, and whether a person replayed it. */
interface EventName {
  channel: EventChannel;
  status: number | null;
  replayed: boolean;
}
/** One asserted fact: a time is an instant. */
interface Asserted {
  name: 'status' | 'car' | 'start' | 'end';
  from: number | null;
  to: number;
}

/** Callbacks and other evidence. */
export const events = {
  event: ({ verdict, ...event }: EventName & { verdict: Judged }) =>
    `${eventName(event)}: ${verdictTexts[verdict]}.`,
  /** L08; `ended`: the end with which it cannot be true. */
  'event.late': ({ ended, ...event }: EventName & { ended: number | null }) => {
    const doubt =
      ended === null
        ? 'the end stands'
        : `it contradicts ${named(ended)}, which stands. Find out where the car is`;
    return `${eventName(event)}: the reservation was closed before it came; ${doubt}.`;
  },
  closed: () => 'The reservation is closed: the time for late events is over, and nothing is left to do.',
  /** F36. */
  booked: ({ by, settledBy, status }: Pick<Booking, 'by' | 'settledBy' | 'status'>) => {
    switch (settledBy) {
      case 'answer':
        return `${by} booked it; the platform answered "${status ?? ''}".`;
      case 'callback':
        return `${by} booked it; the answer was lost, and a callback shows it.`;
      case 'person':
        return `${by} resolved a booking whose answer was lost: it became this reservation.`;
    }
  },
  /** L19. */
  'schedule.shown': (
    { scheduleId, carId, start, end }: { scheduleId: number; carId: number; start: Instant; end: Instant },
    { time }: Locale,
  ) => `The platform's schedule ${scheduleId} shows car ${carId}, ${time(start)} – ${time(end)}.`,
  asserted: ({ by, facts }: { by: string; facts: readonly Asserted[] }, { time }: Locale) => {
    const changes = facts.map(({ name, from, to }) => {
      const value = (it: number) => (name === 'start' || name === 'end' ? time(it) : `${it}`);
      return `${name} ${value(to)} (was ${from === null ? 'unknown' : value(from)})`;
    });
    return `${by} asserted: ${changes.join(', ')}.`;
  },
} as const;

function eventName({ channel, status, replayed }: EventName): string {
  const again = replayed ? ', replayed' : '';
  return `${channelNames[channel]}${status === null ? '' : `, status ${named(status)}`}${again}`;
}

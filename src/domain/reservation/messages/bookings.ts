import type { Booking } from '../types.js';

/** How we know that a booking became this reservation (F36). */
export function bookedText({ by, settledBy, status }: Pick<Booking, 'by' | 'settledBy' | 'status'>): string {
  switch (settledBy) {
    case 'answer':
      return `${by} booked it; the platform answered "${status ?? ''}".`;
    case 'callback':
      return `${by} booked it; the answer was lost, and a callback shows it.`;
    case 'person':
      return `${by} resolved a booking whose answer was lost: it became this reservation.`;
  }
}

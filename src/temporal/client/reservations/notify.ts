import type { Client } from '@temporalio/client';
import { type BookedNews, bookedSignal, type StartSettings } from '../../../contract/reservation.js';
import type { Booking } from '../../../domain/reservation/index.js';
import { signalOrStart } from './signal.js';

/** With the start of a reservation that is not known before. */
export interface NotifyDeps extends StartSettings {
  client: Client;
  /** The task queue whose workers run workflows. */
  queue: string;
  /** Closed, or ended in Temporal: its workflow does not start again (L08). */
  isClosed(reservationId: number): Promise<boolean>;
  /** Remembers that the reservation has been notified. */
  notified(commandId: string, at: number): Promise<void>;
}

const deadlineMs = 10_000;

/** Notifies a reservation of its booking (F36), and starts it where nothing has; may run twice. */
export async function notifyReservation(
  { client, queue, policy, direct = false, isClosed, notified }: NotifyDeps,
  { reservationId, booking }: { reservationId: number; booking: Booking },
): Promise<void> {
  const news: BookedNews = { booking, policy };
  const start = { reservationId, policy, direct };
  if (!(await isClosed(reservationId))) {
    // one that has just ended is not notified
    const signal = { start, queue, signal: bookedSignal, input: news };
    await signalOrStart(client, signal, Date.now() + deadlineMs);
  }
  await notified(booking.commandId, Date.now());
}

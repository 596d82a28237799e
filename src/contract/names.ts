/** Names that cross process borders: task queue, workflow types and ids. */
export const taskQueue = 'handover';

/** Where activities wait that read many pages of the platform: its worker paces them. */
export function scanQueueOf(queue: string): string {
  return `${queue}-scan`;
}

/** Where bookings wait, apart from other calls of the platform. */
export function bookingQueueOf(queue: string): string {
  return `${queue}-bookings`;
}

/** Where our own database work waits, apart from everything that waits for the platform. */
export function databaseQueueOf(queue: string): string {
  return `${queue}-database`;
}

/** Signal without content: where the release of the run is replaced, it continues as new on the current one. */
export const moveSignal = 'moveToCurrentRelease';

export const reservationWorkflow = 'reservation';
export const bookingWorkflow = 'booking';

/** One reservation, one workflow id: a second start of the same reservation cannot happen. */
export function reservationWorkflowId(reservationId: number): string {
  return `reservation-${reservationId}`;
}

/** The reservation id of a workflow id; undefined for other workflows. */
export function reservationIdOf(workflowId: string): number | undefined {
  const digits = /^reservation-(\d+)$/.exec(workflowId)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The caller's command id makes a booking workflow unique, so a repeated request books once. */
export function bookingWorkflowId(commandId: string): string {
  return `booking-${commandId}`;
}

/** The scope of the data key of a reservation's photos, which may be erased before the rest of it. */
export function photoKeyScope(reservationId: number): string {
  return `photos-${reservationId}`;
}

/**
 * The scope of the data key under which a workflow's payloads are encrypted: its own id where it is about one reservation,
 * booking or hold. Undefined: its payloads hold nothing personal that outlives it, and are under the key ring.
 */
export function dataKeyScope(workflowId: string): string | undefined {
  return /^(?:reservation|booking|hold)-/.test(workflowId) ? workflowId : undefined;
}

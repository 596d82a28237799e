import { loadConfig } from '../../src/app/config/index.js';
import { policyOf } from '../../src/app/config/policy.js';
import type { Policy, ReservationEvent } from '../../src/domain/reservation/index.js';
import { loadProfile } from '../../src/platform/profiles/index.js';

const hour = 3_600_000;

/** The defaults, with both roles. */
export const policy: Policy = {
  ...policyOf(loadConfig({}, { receives: false }), await loadProfile('default')),
  roles: ['channel', 'supplier'],
};

export const start = Date.now() + 2 * hour;

/** A reservation as the platform sends it, with every field. */
export class Callbacks {
  private count = 0;

  constructor(private readonly reservationId: number) {}

  of(status: number, more: Partial<ReservationEvent> = {}): ReservationEvent {
    this.count += 1;
    const id = `msg_${this.reservationId}_${this.count}`;
    return {
      eventId: id,
      inboxId: this.reservationId * 10_000 + this.count,
      channel: 'update',
      receivedAt: Date.now(),
      contentHash: id.padEnd(64, '0'),
      status,
      service: { id: 1, name: 'A Service' },
      company: { id: 11, name: 'A Rental Company' },
      productId: 301,
      createdAt: start - hour,
      period: { start, end: start + 4 * hour },
      car: { id: 12, number: '12가3456' },
      pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
      driver: {
        name: 'Bench Driver',
        birth: '19900101',
        phone: '01000000000',
        licenseNumber: '00-00-000000-00',
        address: '1 Sejong-daero, Jung-gu, Seoul',
      },
      companion: null,
      ...more,
    };
  }

  /** The same change on the other channel. */
  status(status: number): ReservationEvent {
    const { eventId, inboxId, receivedAt, contentHash } = this.of(status);
    return { eventId, inboxId, receivedAt, contentHash, channel: 'status', status };
  }
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newReservation, observe, view } from '../../src/domain/reservation/index.js';
import { readReservationId } from '../../src/inbox/event/decode.js';
import { toArrival } from '../../src/inbox/receive/arrival.js';
import type { CallbackKind } from '../../src/platform/model.js';
import { contraryProfile } from '../profiles/contrary.js';
import { aReservation, asEvent, reservationBody, statusBody, wire } from '../support/callbacks.js';
import { contentHashes } from '../support/intake.js';
import { policy } from '../support/reservations.js';

type Stored = Parameters<typeof asEvent>[1];
const stored = (channel: CallbackKind, body: string, other: Partial<Stored> = {}): Stored => ({
  id: 1,
  identity: 'webhook-id',
  eventId: 'msg_1',
  channel,
  receivedAt: 1000,
  replays: 0,
  raw: Buffer.from(body),
  ...other,
});
const tools = { wire, contentHashes };
const kinds: CallbackKind[] = ['registration', 'update', 'car', 'status'];

describe('a stored callback as the lifecycle reads it', () => {
  it('carries a reservation whole', () => {
    const reservation = aReservation(8421, {
      reservationStatus: 15,
      companionInfo: { name: 'companion', phone: '0109' },
      productInfo: { productId: 3, carId: 12 },
      drivingStartAt: 5,
      parkingLotType: 1,
    });
    expect(asEvent(wire, stored('update', reservationBody('update', reservation)))).toEqual({
      eventId: 'msg_1',
      inboxId: 1,
      channel: 'update',
      receivedAt: 1000,
      // workflows remember it, so each release has the same
      contentHash: '70026b72ddd273411a3deb4bfc11e9390fbf04046e5d08744f2bcede92336208',
      status: 15,
      service: { id: 1, name: 'service' },
      company: { id: 7, name: 'company' },
      productId: 3,
      createdAt: reservation.createdAt,
      period: { start: reservation.startAt, end: reservation.endAt },
      car: { id: 12, number: '12가3456' },
      driving: { start: 5 },
      parking: { lotType: 1 },
      pickupAddress: 'address',
      driver: {
        name: 'driver',
        birth: '19900101',
        phone: '01012345678',
        licenseNumber: '11-22-333333-44',
        address: 'address',
      },
      companion: { name: 'companion', phone: '0109' },
    });
  });

  it('L13: where a profile dates its updates, the later change counts, in whatever order they come', () => {
    const { callbacks } = contraryProfile;
    const said = (id: number, endAt: number, changedAt: number) => {
      const update = { kind: 'update' as const, reservation: aReservation(8421, { endAt }), changedAt };
      const raw = Buffer.from(JSON.stringify(callbacks.encode(update)));
      const event = asEvent(callbacks, { ...stored('update', '', { id, eventId: `msg_${id}` }), raw });
      if (event === null) throw new Error('not read');
      return event;
    };
    const { endAt } = aReservation(8421);
    const events = [said(1, endAt + 60_000, endAt - 2), said(2, endAt, endAt - 1)];
    for (const order of [events, events.toReversed()]) {
      const state = order.reduce(
        (so, event) => observe(so, event, event.receivedAt).state,
        newReservation(8421, policy, 0),
      );
      expect(view(state, endAt)).toMatchObject({
        period: { end: '2026-11-23T09:00:00.000+09:00' },
        marks: ['adopted'],
      });
    }
  });

  it('L15: a whole reservation without a companion removes it; a status event does not concern it', () => {
    expect(asEvent(wire, stored('update', reservationBody('update', aReservation(1))))).toMatchObject({
      companion: null,
    });
    expect(asEvent(wire, stored('status', statusBody(1, 10)))).not.toHaveProperty('companion');
  });

  it('L14: a car event carries both cars', () => {
    const body = JSON.stringify(
      wire.encode({
        kind: 'car',
        reservationId: 1,
        previousCarId: 12,
        carId: 13,
        carNumber: '34나5678',
        changedAt: 7,
      }),
    );
    expect(asEvent(wire, stored('car', body))).toMatchObject({
      car: { id: 13, number: '34나5678' },
      previousCarId: 12,
      changedAt: 7,
    });
  });

  it('L61: malformed phones and birth dates are stored as they came, and named', () => {
    const reservation = aReservation(1, {
      driverPhone: '010-1234-5678',
      driverBirth: '19900231',
      companionInfo: { phone: '+82 10', birth: '1990' },
    });
    const event = asEvent(wire, stored('registration', reservationBody('registration', reservation)));
    expect(event?.malformed).toEqual(['driverPhone', 'driverBirth', 'companionPhone', 'companionBirth']);
    expect(event?.driver).toMatchObject({ phone: '010-1234-5678', birth: '19900231' });
  });

  it('equal content has an equal hash, whatever its id, order of fields, or white space', () => {
    const body = JSON.parse(statusBody(1, 10)) as Record<string, unknown>;
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2);
    const one = asEvent(wire, stored('status', JSON.stringify(body)));
    const two = asEvent(wire, stored('status', reversed, { id: 2, eventId: 'msg_2', receivedAt: 2000 }));
    expect(one?.contentHash).toBe(two?.contentHash);
    const changed = asEvent(wire, stored('status', statusBody(1, 15)));
    expect(one?.contentHash).not.toBe(changed?.contentHash);
  });

  it('the same content in another row is another event where the platform sends no ids', () => {
    const content = { identity: 'content' as const, eventId: 'hash' };
    const first = asEvent(wire, stored('status', statusBody(1, 10), { ...content, id: 1 }));
    const second = asEvent(wire, stored('status', statusBody(1, 10), { ...content, id: 3 }));
    expect(first?.eventId).not.toBe(second?.eventId);
  });

  it('a replayed event is another reading of the same event, whose content is compared by its fields only', () => {
    const body = statusBody(1, 10);
    const [first, second, third] = [0, 1, 2].map((replays) =>
      asEvent(wire, stored('status', body, { replays })),
    );
    expect(first).not.toHaveProperty('replay');
    expect(second).toMatchObject({ eventId: 'msg_1:replay-1', replay: 1, contentHash: first?.contentHash });
    expect(third).toMatchObject({ eventId: 'msg_1:replay-2', replay: 2, inboxId: 1 });
  });
});

describe('L63: no body can make the receiver fail', () => {
  it('a reservation id that cannot be read is null', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"reservationId":"x"}',
      '{"reservationId":0}',
      '"'.repeat(99),
    ]) {
      expect(readReservationId(wire, 'status', Buffer.from(text))).toBeNull();
    }
    const tooLarge = Buffer.from('{"reservationId":9007199254740993,"reservationStatus":5}');
    expect(readReservationId(wire, 'status', tooLarge)).toBeNull();
    const notUtf8 = Buffer.concat([
      Buffer.from('{"x":"'),
      Buffer.from([0xff]),
      Buffer.from('","reservationId":1}'),
    ]);
    expect(readReservationId(wire, 'status', notUtf8)).toBeNull();
  });

  it('arbitrary bytes and JSON become an arrival', () => {
    const bytes = fc.oneof(
      fc.uint8Array().map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom(...kinds), fc.string(), (raw, channel, id) => {
        const headers = {
          'webhook-id': id,
          'user-agent': id,
          authorization: 'Bearer secret',
          cookie: 'secret',
        };
        const arrival = toArrival({ channel, path: '/x', headers, raw, receivedAt: 1 }, tools);
        expect(arrival.eventId.length).toBeGreaterThan(0);
        expect(JSON.stringify(arrival.headers)).not.toContain('Bearer secret');
        expect(arrival.headers).not.toHaveProperty('cookie');
      }),
    );
  });

  it('an id of any length has its place', () => {
    const headers = { 'webhook-id': 'x'.repeat(10_000) };
    const arrival = toArrival(
      { channel: 'status', path: '/x', headers, raw: Buffer.alloc(0), receivedAt: 1 },
      tools,
    );
    expect(arrival.eventId).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

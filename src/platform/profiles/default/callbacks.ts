import { z } from 'zod';
import type { Callback, CallbackKind } from '../../model.js';
import type { Schema, WireProfile } from '../../profile.js';
import { sentObject } from '../codecs/objects.js';
import { id, integer } from '../codecs/values.js';
import { moment } from './moments.js';
import { reservation } from './reservation.js';

type CarChange = Omit<Extract<Callback, { kind: 'car' }>, 'kind'>;
type StatusChange = Omit<Extract<Callback, { kind: 'status' }>, 'kind'>;

/** G29. Required: the reservation's id and its new car. */
const carChange: Schema<CarChange> = sentObject(
  {
    reservationId: id,
    previousCarId: id.exactOptional(),
    carId: id,
    carNumber: z.string(),
    changedAt: moment.exactOptional(),
  },
  { gap: 'G29', needs: ['reservationId', 'carId'] },
);

/** G30. Any integer is a status (L11). Required: the reservation's id and its status. */
const statusChange: Schema<StatusChange> = sentObject(
  {
    reservationId: id,
    reservationStatus: integer,
    changedAt: moment.exactOptional(),
  },
  { gap: 'G30', needs: ['reservationId', 'reservationStatus'] },
);

/** Specification, Events; G28-G30. */
const paths: Record<CallbackKind, string> = {
  registration: '/events/reservation',
  update: '/events/reservation/update',
  car: '/events/reservation/car',
  status: '/events/reservationStatus',
};

export const callbacks: WireProfile['callbacks'] = {
  paths,
  decode: (kind, body) => {
    switch (kind) {
      case 'car':
        return { kind, ...z.decode(carChange, body) };
      case 'status':
        return { kind, ...z.decode(statusChange, body) };
      default:
        return { kind, reservation: z.decode(reservation, body) };
    }
  },
  encode: (callback) => {
    switch (callback.kind) {
      case 'car':
        return z.encode(carChange, callback);
      case 'status':
        return z.encode(statusChange, callback);
      default:
        return z.encode(reservation, callback.reservation);
    }
  },
};

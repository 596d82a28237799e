import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { bookingRole } from '../../contract/role.js';
import type { BookingDetail, BookingItem } from '../../store/bookings/reads.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { writeHeaders } from '../http/fields.js';
import { listRoute } from '../http/list-route.js';
import { links } from '../http/openapi.js';
import { platformRefusal, refusedKey } from '../http/outcome.js';
import { refuseReversed } from '../http/period.js';
import { requireKey } from '../http/platform-roles.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { recordRead } from '../http/record-read.js';
import { message } from '../messages/message.js';
import { booked, bookingBody, bookingPending } from './booking-schemas.js';
import { bookingList, bookingParams, bookingQuery, bookingShown, resolveBookingBody } from './schemas.js';
import { bookingWithoutPersonalData, hasPersonalData } from './view.js';

const tags = ['bookings'];

/** Bookings (F30-F39). POST /api/reservations: books as a demand channel (specification, POST /reservations; G11). */
export function bookingRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;
  api.post(
    '/api/reservations',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'Book as a demand channel',
        tags: ['reservations'],
        headers: writeHeaders,
        body: bookingBody,
        response: { 201: booked, 202: bookingPending, ...problems },
      },
      links: {
        201: { ...links.reservation('$response.body#/reservationId'), ...links.booking },
        202: links.booking,
      },
    },
    async (request, reply) => {
      requireKey(deps.fleet.roles, bookingRole);
      refuseReversed(request.body, 'startAt', 'endAt');
      const commandId = request.headers['idempotency-key'];
      const pending = (body: z.output<typeof bookingPending>) =>
        reply.code(202).header('location', `/api/bookings/${commandId}`).send(body);
      const result = await deps.bookings.book({
        commandId,
        by: callerOf(request).name,
        request: request.body,
      });
      switch (result.outcome) {
        case 'applied': {
          const { reservationId, status, carNumber, pickupAt, returnAt, settledBy = 'answer' } = result;
          const reported = { reservationId, status, carNumber, settledBy };
          return reply
            .code(201)
            .header('location', `/api/reservations/${reservationId}`)
            .send({ ...reported, pickupAt: write(pickupAt), returnAt: write(returnAt) });
        }
        case 'rejected':
          if (result.settledBy === 'person') throw notMade(commandId);
          // a repeat of long ago reads it too
          await recordBookingRead(request, commandId);
          throw platformRefusal(result.code, result.message, 409, {
            commandId,
            platformMessage: result.platformMessage,
          });
        case 'reused':
          throw refusedKey();
        case 'pending':
          return pending({ commandId, outcome: 'out', code: null });
        case 'unknown':
          return pending({ commandId, outcome: 'unknown', code: result.code });
      }
    },
  );

  listRoute(api, context, {
    path: '/api/bookings',
    role: 'viewer',
    summary: 'Bookings',
    tag: 'bookings',
    query: bookingQuery,
    answer: bookingList,
    read: (query) => deps.bookings.list(query),
    show: toItem,
  });

  api.get(
    '/api/bookings/:commandId',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'One booking, with the reservations that it may have become',
        tags,
        params: bookingParams,
        response: { 200: bookingShown, ...problems },
      },
    },
    async (request) => showRecorded(request, await readKnown(request.params.commandId)),
  );

  api.post(
    '/api/bookings/:commandId/resolve',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Resolve a booking whose answer was lost',
        tags: ['settling'],
        params: bookingParams,
        headers: writeHeaders,
        body: resolveBookingBody,
        response: { 200: bookingShown, ...problems },
      },
    },
    async (request) => {
      const { commandId } = request.params;
      const { body } = request;
      if (body.outcome === 'applied') await assertSameProduct(await readKnown(commandId), body.reservationId);
      const answer = await deps.bookings.resolve(commandId, {
        ...body,
        by: callerOf(request).name,
        settlementId: request.headers['idempotency-key'],
      });
      if (answer.kind === 'no-booking') throw noBooking(commandId);
      if (answer.kind === 'refused') throw new Problem(answer.refusal.code, answer.refusal.message);
      return showRecorded(request, await readKnown(commandId));
    },
  );

  /** With an entry in the audit where it is over and has personal data. */
  async function showRecorded(request: FastifyRequest, booking: BookingDetail) {
    if (callerOf(request).role !== 'viewer' && booking.settledAt !== null && hasPersonalData(booking))
      await recordBookingRead(request, booking.commandId);
    return toDetail(request, booking);
  }

  function recordBookingRead(request: FastifyRequest, commandId: string): Promise<void> {
    const read = { action: 'booking.read', subject: `booking/${commandId}` } as const;
    return recordRead(deps, callerOf(request).name, read);
  }

  async function readKnown(commandId: string): Promise<BookingDetail> {
    const found = await deps.bookings.read(commandId);
    if (found === undefined) throw noBooking(commandId);
    return found;
  }

  /** A mistyped id would connect the booking with another customer's reservation. */
  async function assertSameProduct(
    { productId, settledAt }: BookingDetail,
    reservationId: number,
  ): Promise<void> {
    const reservation = settledAt === null ? await deps.reservations.view(reservationId) : undefined;
    const other = reservation?.productId ?? productId;
    if (other === productId) return;
    throw new Problem('BOOKING_DIFFERS', message('api.other-product', { other, productId }));
  }

  function toItem({ startAt, endAt, createdAt, settledAt, ...item }: BookingItem) {
    return {
      ...item,
      period: { start: write(startAt), end: write(endAt) },
      createdAt: write(createdAt),
      settledAt: settledAt === null ? null : write(settledAt),
    };
  }

  function toDetail(
    request: FastifyRequest,
    { candidates, alike, request: content, message, ...item }: BookingDetail,
  ) {
    const { companionInfo, driver, pickupAddress, pickupMemo } = content ?? {};
    const booking = {
      ...toItem(item),
      candidates: candidates.map(({ startAt, endAt, ...candidate }) => ({
        ...candidate,
        period: { start: write(startAt), end: write(endAt) },
      })),
      alike,
      message,
      request:
        driver === undefined || pickupAddress === undefined
          ? null
          : {
              pickupAddress,
              driver,
              ...(companionInfo !== undefined && { companionInfo }),
              ...(pickupMemo !== undefined && { pickupMemo }),
            },
    };
    return callerOf(request).role === 'viewer' ? bookingWithoutPersonalData(booking) : booking;
  }
}

function noBooking(commandId: string): Problem {
  return new Problem('BOOKING_NOT_FOUND', message('api.no-booking', { commandId }));
}

function notMade(commandId: string): Problem {
  return new Problem('BOOKING_NOT_MADE', message('api.booking-not-made', {}), {
    members: { commandId },
  });
}

import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** `GET /api/reservations/:id/timeline` is `getReservationsByIdTimeline`: stable as long as the path is. */
function operationId(method: string, path: string): string {
  const words = path.split('/').filter((part) => part !== '' && part !== 'api');
  const named = words.map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)));
  return `${method.toLowerCase()}${named.join('')}`;
}

function capital(word: string): string {
  return word.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The document's part of one route; every operation has an id, which links name. */
export const transform: typeof jsonSchemaTransform = (document) => {
  const { schema, url } = jsonSchemaTransform(document);
  const { method } = document.route;
  if (typeof method !== 'string' || schema.hide === true) return { schema, url };
  return { schema: { operationId: operationId(method, url), ...schema }, url };
};

type Parameters = Record<string, string>;

/** A link of the API document: how an answer of one operation becomes an input of another (OpenAPI runtime expressions). */
function linkTo(method: string, path: string, parameters: Parameters) {
  return { operationId: operationId(method, path), parameters };
}

const header = '$request.header.idempotency-key';

/** Links by what an answer holds, and by the Idempotency-Key that the request had. */
export const links = {
  reservation: (id: string) => ({
    reservation: linkTo('GET', '/api/reservations/:id', { id }),
    timeline: linkTo('GET', '/api/reservations/:id/timeline', { id }),
  }),
  booking: { booking: linkTo('GET', '/api/bookings/:commandId', { commandId: header }) },
  carWrite: { write: linkTo('GET', '/api/car-writes/:commandId', { commandId: header }) },
  hold: {
    hold: linkTo('GET', '/api/holds/:id', { id: '$response.body#/holdId' }),
    change: linkTo('PUT', '/api/holds/:id', { id: '$response.body#/holdId' }),
    release: linkTo('DELETE', '/api/holds/:id', { id: '$response.body#/holdId' }),
    resolve: linkTo('POST', '/api/holds/:id/resolve', { id: '$response.body#/holdId' }),
  },
  car: { car: linkTo('GET', '/api/cars/:id', { id: '$request.path.id' }) },
  product: { product: linkTo('GET', '/api/products/:id', { id: '$request.path.id' }) },
  event: { event: linkTo('GET', '/api/inbox/:id', { id: '$response.body#/events/0/id' }) },
};

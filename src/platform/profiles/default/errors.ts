import { z } from 'zod';
import { type PlatformCode, platformCodes } from '../../errors.js';
import type { WireProfile } from '../../profile.js';

/** G25: the HTTP status of each code. */
const statuses: Record<PlatformCode, number> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  E011: 409,
  E012: 409,
  ILLEGAL_STATE: 409,
  NO_AVAILABILITY: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL: 500,
};

const body = z.object({ code: z.enum(platformCodes), message: z.string().catch('') });

export const errors: WireProfile['errors'] = {
  encode: ({ code, message, retryAfterSeconds }) => ({
    status: statuses[code],
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    body: { code, message },
  }),
  decode: (_status, wire) => body.safeParse(wire).data,
};

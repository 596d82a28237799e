import type { CallErrorCode } from '../errors.js';

/**
 * What each code means, for operators: in the log and in Temporal, behind the operation. People read the text of
 * `platform.refused` in their language. The two codes that Handover itself raises have a message of their own.
 */
export const codeTexts: Record<Exclude<CallErrorCode, 'INVALID_INPUT' | 'ROLE_OFF'>, string> = {
  E011: 'the period overlaps another schedule of the car',
  E012: 'a schedule that ended 7 or more days ago cannot be edited',
  INVALID_REQUEST: 'the platform does not accept the request as it is',
  UNAUTHORIZED: 'the platform does not know the API key',
  FORBIDDEN: 'the platform does not allow this to the API key',
  NOT_FOUND: 'the platform knows no such object',
  ILLEGAL_STATE: 'the state of the object on the platform does not allow it',
  NO_AVAILABILITY: 'no car is available in the period',
  PAYLOAD_TOO_LARGE: 'the request is larger than the platform accepts',
  RATE_LIMITED: 'the platform asks for fewer requests',
  INTERNAL: 'the platform failed and may have acted before it did',
  REFUSED: 'the platform refused without a code that the wire profile knows',
  REDIRECTED: 'the platform redirects elsewhere, which is not followed; check the base address',
  UNREACHABLE: 'the platform could not be reached, the request did not leave',
  BROKEN: 'the connection broke before a whole answer came',
  TIMEOUT: 'no whole answer within the deadline',
  ABORTED: 'given up by the caller',
  UNREADABLE: 'the answer does not fit the wire profile',
};

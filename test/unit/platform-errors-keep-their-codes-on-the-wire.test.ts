import { describe, expect, it } from 'vitest';
import { platformCodes } from '../../src/platform/errors.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';

describe.each([defaultProfile, contraryProfile])('G25: under the $name profile', ({ errors }) => {
  it.each(platformCodes)('%s is read as it was written', (code) => {
    const { status, body } = errors.encode({ code, message: 'why' });
    expect(errors.decode(status, JSON.parse(JSON.stringify(body)))).toMatchObject({ code });
  });

  it('Retry-After travels as a header', () => {
    const { headers } = errors.encode({ code: 'RATE_LIMITED', message: '', retryAfterSeconds: 3 });
    expect(headers).toEqual({ 'retry-after': '3' });
    expect(errors.encode({ code: 'INTERNAL', message: '' }).headers).toBeUndefined();
  });

  it('a body without a known code has no code', () => {
    for (const body of [
      undefined,
      null,
      'text',
      {},
      { code: 'E999' },
      { error: {} },
      { error: { errorCode: 'x' } },
    ])
      expect(errors.decode(400, body)).toBeUndefined();
  });
});

it('G25: the default names an HTTP status per code', () => {
  const statuses = Object.fromEntries(
    platformCodes.map((code) => [code, defaultProfile.errors.encode({ code, message: '' }).status]),
  );
  expect(statuses).toEqual({
    E011: 409,
    E012: 409,
    INVALID_REQUEST: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    ILLEGAL_STATE: 409,
    NO_AVAILABILITY: 409,
    PAYLOAD_TOO_LARGE: 413,
    RATE_LIMITED: 429,
    INTERNAL: 500,
  });
  expect(defaultProfile.errors.encode({ code: 'E011', message: 'overlap' }).body).toEqual({
    code: 'E011',
    message: 'overlap',
  });
});

it('G25: the contrary profile answers 400 whatever the code', () => {
  for (const code of platformCodes) {
    expect(contraryProfile.errors.encode({ code, message: '' })).toMatchObject({
      status: 400,
      body: { error: { errorCode: code } },
    });
  }
});

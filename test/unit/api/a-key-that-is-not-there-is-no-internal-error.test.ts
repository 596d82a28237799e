import { expect, it } from 'vitest';
import { problemOf } from '../../../src/api/http/errors.js';
import { DataKeyNotMade, DataKeyNotRead, UnknownKeyError } from '../../../src/store/sealing/errors.js';

it.each([
  [new DataKeyNotMade({ cause: null }), 503, 'STORE_UNAVAILABLE'],
  [new DataKeyNotRead({ cause: null }), 503, 'STORE_UNAVAILABLE'],
  [new UnknownKeyError('next'), 500, 'CODEC_KEY_UNKNOWN'],
])('L60: a request whose data key cannot be had is answered with what to do (%o)', (error, status, code) => {
  expect(problemOf(error as never)).toMatchObject({ status, code });
});

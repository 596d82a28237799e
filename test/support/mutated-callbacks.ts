import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { CallbackKind } from '../../src/platform/model.js';
import { aReservation, pathOf, reservationBody, signedBytes, statusBody, wire } from './callbacks.js';

/** A request before its bytes are written; a header's value is written as Latin-1. */
interface Draft {
  method: string;
  path: string;
  version: string;
  headers: [string, string][];
  body: Buffer;
  framing: 'length' | 'chunked' | 'none';
  /** Signed as it stands when all that changes its body has been done; else as it was at first. */
  signedLast: boolean;
  id: string;
}

/** Bytes for a connection of its own, which its sender closes for writing after them. */
export interface MutatedCallback {
  bytes: Buffer;
  /** Of a request that nothing was done to: it must be stored under this id. */
  intactId: string | undefined;
}

type Mutation = (draft: Draft) => Draft;

const latin = (text: string) => Buffer.from(text, 'latin1');
const anyBytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));

const paths = (['registration', 'update', 'car', 'status'] as CallbackKind[]).map(pathOf);
const sound: fc.Arbitrary<Draft> = fc
  .tuple(
    fc.constantFrom<CallbackKind>('registration', 'update', 'car', 'status'),
    fc.integer({ min: 1, max: 50 }),
    fc.constantFrom(5, 10, 15, 20, 30, 35, 40),
  )
  .map(([kind, reservationId, reservationStatus]) => ({
    method: 'POST',
    path: pathOf(kind),
    version: 'HTTP/1.1',
    headers: [['host', 'x'] as [string, string], ['content-type', 'application/json'] as [string, string]],
    body: Buffer.from(bodyOf(kind, reservationId, reservationStatus)),
    framing: 'length' as const,
    signedLast: true,
    id: '',
  }));

function bodyOf(kind: CallbackKind, reservationId: number, reservationStatus: number): string {
  if (kind === 'status') return statusBody(reservationId, reservationStatus);
  if (kind === 'car') {
    const changed = { previousCarId: 1, carId: 2, carNumber: '12가3456', changedAt: 1_700_000_000_000 };
    return JSON.stringify(wire.encode({ kind, reservationId, ...changed }));
  }
  return reservationBody(kind, aReservation(reservationId, { reservationStatus }));
}

const strangeText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\t',
      ',',
      ';;;',
      '0',
      '-1',
      '1e9',
      'NaN',
      '__proto__',
      'constructor',
      'a\u0000b',
      '\u0001\u007f',
    ],
    ...[
      'é\u00ff',
      '%00',
      '%',
      '../..',
      'x'.repeat(300),
      'x'.repeat(5_000),
      'x'.repeat(40_000),
      '99999999999999999999',
    ],
    ...[
      'v1,',
      'v1,AAAA',
      'v2,AAAA v1,',
      'whsec_',
      'gzip, gzip',
      'chunked',
      '1700000000',
      '\r\nx-more: 1',
      '\nx',
    ],
  ),
  fc.string({ maxLength: 60 }),
);

const strangeBody = fc.oneof(
  anyBytes(400),
  fc.json({ maxDepth: 4 }).map(latin),
  fc
    .constantFrom(
      ...[
        '',
        ' ',
        'null',
        '[]',
        '{}',
        '"x"',
        '1e999',
        '{"reservationId":',
        '{"reservationId":1}x',
        '\ufeff{}',
      ],
      ...[
        '{"reservationId":9007199254740993}',
        '{"reservationId":-1}',
        '{"reservationId":"1"}',
        '{"reservationId":1.5}',
      ],
      ...[
        '{"__proto__":{"reservationId":1}}',
        '{"reservationId":{"reservationId":1}}',
        '{"reservationId":1,"reservationId":2}',
      ],
      ...[
        '['.repeat(60_000),
        `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
        'x'.repeat(262_144),
        'x'.repeat(262_145),
      ],
      ...['x'.repeat(400_000), '\u0000'.repeat(1_000), `{"reservationId":1${'0'.repeat(100_000)}}`],
    )
    .map((text) => Buffer.from(text)),
);

const onBody: fc.Arbitrary<Mutation> = fc.oneof(
  strangeBody.map(
    (body): Mutation =>
      (draft) => ({ ...draft, body }),
  ),
  fc.tuple(fc.nat(), fc.constantFrom('flip', 'cut', 'insert', 'repeat'), anyBytes(40)).map(
    ([at, how, bytes]): Mutation =>
      (draft) => ({ ...draft, body: spoilt(draft.body, at, how, bytes) }),
  ),
);

function spoilt(body: Buffer, at: number, how: string, bytes: Buffer): Buffer {
  const place = body.length === 0 ? 0 : at % body.length;
  const before = body.subarray(0, place);
  const after = body.subarray(place);
  if (how === 'cut') return before;
  if (how === 'insert') return Buffer.concat([before, bytes, after]);
  if (how === 'repeat') return Buffer.concat([before, after, after]);
  const copy = Buffer.from(body);
  if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ (1 << (at % 8));
  return copy;
}

const headerNames = [
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-forwarded-for',
  'user-agent',
  'expect',
  'upgrade',
  'connection',
  'host',
  'authorization',
  'accept',
  'te',
  'trailer',
  'accept-version',
  'bad name',
  'x:y',
  '',
  '\u0000',
  'x-many',
];
const onHeaders: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(fc.constantFrom(...headerNames), strangeText, fc.constantFrom(1, 1, 1, 2, 300)).map(
    ([name, value, times]): Mutation =>
      (draft) => ({
        ...draft,
        headers: [...draft.headers, ...Array.from({ length: times }, (): [string, string] => [name, value])],
      }),
  ),
  fc.nat().map(
    (at): Mutation =>
      (draft) => ({
        ...draft,
        headers: draft.headers.filter((_each, index) => index !== at % draft.headers.length),
      }),
  ),
);

const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const onEncoding: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.constantFrom('gzip', 'deflate', 'br', 'GZIP ', 'zstd', 'identity', 'gzip, br'),
    fc.constantFrom<keyof typeof packers | 'none'>('gzip', 'deflate', 'br', 'none'),
    fc.constantFrom(false, false, false, true),
  )
  .map(
    ([said, done, bomb]): Mutation =>
      (draft) => {
        const body = bomb ? Buffer.alloc(3_000_000, ' ') : draft.body;
        return {
          ...draft,
          body: done === 'none' ? draft.body : packers[done](body),
          headers: [...draft.headers, ['content-encoding', said]],
        };
      },
  );

const onLength: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom<Draft['framing']>('chunked', 'none').map(
    (framing): Mutation =>
      (draft) => ({ ...draft, framing }),
  ),
  fc.constantFrom('0', '1', '100000', '999999999999', '-5', '+3', '0x10', '1 2', '3,4', '', 'abc').map(
    (length): Mutation =>
      (draft) => ({
        ...draft,
        framing: 'none',
        headers: [...draft.headers, ['content-length', length]],
      }),
  ),
);

const onLine: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .constantFrom(
      ...[
        'GET',
        'PUT',
        'DELETE',
        'PATCH',
        'HEAD',
        'OPTIONS',
        'TRACE',
        'CONNECT',
        'PRI',
        'post',
        'QUERY',
        'P(ST',
      ],
    )
    .map(
      (method): Mutation =>
        (draft) => ({ ...draft, method }),
    ),
  fc
    .oneof(
      fc.constantFrom(
        ...[
          '/',
          '*',
          '',
          '//',
          '/%',
          '/%zz',
          '/%00',
          '/events',
          '/events/../events/reservation',
          'http://x/y',
        ],
      ),
      fc
        .constantFrom('?a=1', '/', '//', ';x', '%20', '\u0000', '#x', `?${'a'.repeat(9_000)}`, 'é')
        .map((tail) => `${paths[0]}${tail}`),
      fc.webPath(),
    )
    .map(
      (path): Mutation =>
        (draft) => ({ ...draft, path }),
    ),
  fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', 'http/1.1', '').map(
    (version): Mutation =>
      (draft) => ({ ...draft, version }),
  ),
);

const unsigned: fc.Arbitrary<Mutation> = fc.constant((draft) => ({ ...draft, signedLast: false }));

const mutation = fc.oneof(
  { weight: 4, arbitrary: onBody },
  { weight: 3, arbitrary: onHeaders },
  { weight: 2, arbitrary: onEncoding },
  { weight: 2, arbitrary: onLength },
  { weight: 2, arbitrary: onLine },
  { weight: 1, arbitrary: unsigned },
);

/**
 * Callbacks of every channel with one to three things wrong in bytes, headers, lengths, encoding, method or address;
 * some with nothing wrong, and some that are no HTTP at all.
 */
export const mutatedCallback: fc.Arbitrary<MutatedCallback> = fc.oneof(
  { weight: 1, arbitrary: sound.map((draft) => written(draft, [])) },
  {
    weight: 10,
    arbitrary: fc
      .tuple(sound, fc.array(mutation, { minLength: 1, maxLength: 3 }))
      .map(([draft, mutations]) => written(draft, mutations)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        sound,
        fc.array(mutation, { maxLength: 2 }),
        fc.nat(),
        fc.constantFrom('flip', 'cut', 'insert', 'repeat'),
        anyBytes(60),
      )
      .map(([draft, mutations, at, how, bytes]) =>
        callback(spoilt(written(draft, mutations).bytes, at, how, bytes)),
      ),
  },
  { weight: 1, arbitrary: anyBytes(600).map((bytes) => callback(bytes)) },
);

function written(sound: Draft, mutations: Mutation[]): MutatedCallback {
  const id = `msg_${randomUUID()}`;
  const draft = mutations.reduce((changed, mutate) => mutate(changed), { ...sound, id });
  const signed = Object.entries(signedBytes(draft.signedLast ? draft.body : sound.body, { id }));
  // what a mutation added stands before ours: both are sent
  const headers = [...draft.headers, ...signed, ['connection', 'close']];
  if (draft.framing === 'length') headers.push(['content-length', String(draft.body.length)]);
  if (draft.framing === 'chunked') headers.push(['transfer-encoding', 'chunked']);
  const head = [
    `${draft.method} ${draft.path} ${draft.version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const body =
    draft.framing === 'chunked'
      ? Buffer.concat([latin(`${draft.body.length.toString(16)}\r\n`), draft.body, latin('\r\n0\r\n\r\n')])
      : draft.body;
  return callback(
    Buffer.concat([latin(`${head.join('\r\n')}\r\n\r\n`), body]),
    mutations.length === 0 ? id : undefined,
  );
}

/** Where a run fails, the beginnings of its requests are printed: some are long. */
function callback(bytes: Buffer, intactId?: string): MutatedCallback {
  const shown = JSON.stringify(bytes.subarray(0, 400).toString('latin1'));
  return Object.assign({ bytes, intactId }, { [fc.toStringMethod]: () => shown });
}

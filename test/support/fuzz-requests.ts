import fc from 'fast-check';

/** What is sent. `body` undefined: none; a text is sent as it is. */
export interface FuzzRequest {
  /** Which operation of the document: its id, or method and path. */
  operation: string;
  method: string;
  path: string;
  as: 'channel' | 'supplier' | 'otherSupplier' | 'stranger' | 'anonymous';
  body?: unknown;
  form?: Record<string, unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked
type Schema = any;
interface DocumentedOperation {
  operationId?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

const hour = 3_600_000;

/**
 * Requests for every operation of an OpenAPI document that `wanted` takes: most of them nearly right, so that they get
 * past the first check, many with one thing wrong, some with nothing right.
 */
export function requestsOf(
  document: OpenApiDocument,
  wanted: (path: string, method: string) => boolean,
  roleOf: (operation: string) => FuzzRequest['as'],
): fc.Arbitrary<FuzzRequest> {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => wanted(path, method))
      .map(([method, operation]) => requestOf(path, method.toUpperCase(), operation, roleOf)),
  );
  return fc.oneof(...requests);
}

function requestOf(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: DocumentedOperation,
  roleOf: (operation: string) => FuzzRequest['as'],
): fc.Arbitrary<FuzzRequest> {
  const operation = operationId ?? `${method} ${path}`;
  /** `/car/{id}` asks for the id of a car. */
  const meant = (name: string) => (name === 'id' ? `${/(\w+)\/\{id\}/.exec(path)?.[1]}Id` : name);
  const partOf = (place: string) =>
    object({
      type: 'object',
      properties: Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map(({ name, schema }) => [name, { ...schema, meant: meant(name) }]),
      ),
      required: parameters.filter((each) => each.in === place && each.required).map(({ name }) => name),
    });
  const json = requestBody?.content['application/json']?.schema;
  const form = requestBody?.content['multipart/form-data']?.schema;
  return fc
    .record({
      params: mostly(partOf('path'), 12),
      query: mostly(partOf('query'), 4),
      body: json ? mostly(fitting(json), 2) : fc.constant(undefined),
      form: form ? mostly(fitting(form), 3) : fc.constant(undefined),
      as: fc.oneof(
        { weight: 12, arbitrary: fc.constant(roleOf(operation)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<FuzzRequest['as']>(
            'channel',
            'supplier',
            'otherSupplier',
            'stranger',
            'anonymous',
          ),
        },
      ),
    })
    .map(({ params, query, body, form: parts, as }) => ({
      operation,
      method,
      path: addressOf(path, params, query),
      as,
      ...(body !== undefined && { body }),
      ...(parts !== undefined && { form: parts as Record<string, unknown> }),
    }));
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const written = path.replace(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(wellFormed(text((params as Record<string, unknown> | null)?.[name] ?? 'x'))),
  );
  const search = new URLSearchParams();
  if (typeof query === 'object')
    for (const [name, value] of Object.entries(query ?? {}))
      search.append(wellFormed(name), wellFormed(text(value)));
  return search.size > 0 ? `${written}?${search}` : written;
}

/** Without half characters, which no address can carry. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

/** The value as it is, or, once in `in + 1`, with something wrong. */
const mostly = (value: fc.Arbitrary<unknown>, rightFor: number): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: rightFor, arbitrary: value }, { weight: 1, arbitrary: spoilt(value) });

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    '',
    ' ',
    'a\u0000b',
    '\ud800',
    'x'.repeat(3000),
    '2031-02-30T00:00:00.000+0900',
    '2031-02-03T10:00:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '__proto__',
    [],
    {},
    [[]],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

function spoilt(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    junk,
    fc
      .tuple(value, fc.nat(), junk, fc.constantFrom('replace', 'drop', 'add'))
      .map(([whole, at, bad, how]) => {
        if (typeof whole !== 'object' || whole === null) return bad;
        const places = placesIn(whole);
        const place = places[at % Math.max(places.length, 1)];
        if (how === 'add' || !place) return { ...whole, extra: bad };
        const copy = structuredClone(whole) as Record<string, unknown>;
        const holder = place.slice(0, -1).reduce((inner, key) => inner[key] as Record<string, unknown>, copy);
        const last = place.at(-1) ?? '';
        if (how === 'drop') delete holder[last];
        else holder[last] = bad;
        return copy;
      }),
  );
}

/** Paths of all values inside. */
const placesIn = (whole: object): string[][] =>
  Object.entries(whole).flatMap(([key, inner]) => [
    [key],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner).map((rest) => [key, ...rest]) : []),
  ]);

function object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries<Schema>(properties).map(([name, schema]) => [name, fitting(schema, schema.meant ?? name)]),
  );
  return fc.record(fields, { requiredKeys: required.filter((name: string) => name in fields) });
}

/** A value that the schema allows, plausible by the field's name where the schema alone says little. */
function fitting(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice: Schema) => fitting(choice, name)));
  if (schema.allOf) {
    const parts = schema.allOf.map((part: Schema) => fitting(part, name)) as fc.Arbitrary<object>[];
    return fc.tuple(...parts).map((values) => Object.assign({}, ...values));
  }
  switch (schema.type) {
    case 'object':
      return object(schema);
    case 'array':
      return fc.array(fitting(schema.items ?? {}, name), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return numberNamed(name);
    case 'string':
      return textNamed(name, schema.pattern);
    default:
      return junk;
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_each, n) => from + n);

const known: [RegExp, number[]][] = [
  [/schedule/i, range(5001, 5060)],
  [/reservation/i, range(8001, 8030)],
  [/memo/i, range(6001, 6010)],
  [/product/i, [301, 302, 303, 304]],
  [/cars?_?ids?$/i, [1001, 1001, 1001, 1002, 1003, 2001, 2002, 3001]],
  [/fare/i, [701, 702, 703]],
  [/business/i, [11, 12]],
  [/LotType|Status$/, [0, 1]],
];

function numberNamed(name: string): fc.Arbitrary<number> {
  const ids = known.find(([pattern]) => pattern.test(name))?.[1];
  if (ids) return fc.constantFrom(...ids);
  return fc.integer({ min: 0, max: 100 });
}

function textNamed(name: string, pattern?: string): fc.Arbitrary<string> {
  if (/At$|DateTimeStr$|^at$|To$/.test(name)) return moment;
  if (/Date$/.test(name)) return moment.map((text) => text.slice(0, 10));
  if (/birth/i.test(name)) return fc.constantFrom('19900131', '19851231', '20000229');
  if (/phone/i.test(name)) return fc.constantFrom('01000001234', '0100');
  if (/Yn$|Value$/.test(name)) return fc.constantFrom('Y', 'N');
  if (/carNumber/.test(name))
    return fc.constantFrom('12가3456', '34나1024', '99하0001', '99하0002', '99하0003');
  if (pattern?.includes('[1-9]')) return numberNamed(name).map(String);
  if (/^(id|page|after|limit)$|Id$|Cd$/.test(name)) return numberNamed(name).map(String);
  return fc.oneof(fc.constantFrom('점검', '서울역 1번 출구', 'a'), fc.string({ minLength: 1 }));
}

/** Whole hours within a month of now, in every way of writing an offset. */
const moment = fc
  .tuple(fc.integer({ min: -200, max: 700 }), fc.constantFrom('Z', '+0900', '+09:00'))
  .map(([hours, offset]) => {
    const at = Math.floor(Date.now() / hour + hours) * hour + (offset === 'Z' ? 0 : 9 * hour);
    return new Date(at).toISOString().replace('Z', offset);
  });

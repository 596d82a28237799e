import type { PlatformCode } from '../../platform/errors.js';
import type { OperationName, WireProfile } from '../../platform/profile.js';

/** Refusals that an operation has beyond those that every one has. */
const own: Record<OperationName, readonly PlatformCode[]> = {
  book: ['FORBIDDEN', 'NOT_FOUND', 'NO_AVAILABILITY', 'PAYLOAD_TOO_LARGE'],
  dispatchStaff: command(),
  dispatchStart: command(),
  dispatchParkingImage: command(),
  dispatchCarImage: command(),
  dispatchComplete: command(),
  recallStaff: command(),
  recallCarImage: command(),
  recallComplete: command(),
  listProducts: [],
  listProductsOfFare: ['NOT_FOUND'],
  getProduct: ['NOT_FOUND'],
  listRelatedCars: ['NOT_FOUND'],
  setSaleStatus: ['FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  listCars: [],
  getCar: ['NOT_FOUND'],
  listCarMemos: ['FORBIDDEN', 'NOT_FOUND'],
  addCarMemo: ['FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  listSchedules: ['FORBIDDEN'],
  getSchedule: ['FORBIDDEN', 'NOT_FOUND', 'ILLEGAL_STATE'],
  addSchedule: ['FORBIDDEN', 'NOT_FOUND', 'E011', 'PAYLOAD_TOO_LARGE'],
  changeSchedule: ['FORBIDDEN', 'NOT_FOUND', 'ILLEGAL_STATE', 'E011', 'E012', 'PAYLOAD_TOO_LARGE'],
  deleteSchedule: ['FORBIDDEN', 'NOT_FOUND', 'ILLEGAL_STATE'],
};

/** Refusals of every operation; the last two happen only by a fault, or by a failure of the sandbox. */
const common: readonly PlatformCode[] = ['INVALID_REQUEST', 'UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL'];

/**
 * The refusals of an operation for the document, per HTTP status: the profile's error codec writes an example of each
 * (G25), and the schema is derived from the examples, so the document shows the profile's own format.
 */
export function documentedRefusals(profile: WireProfile, operation: OperationName): Refusals {
  return refusals(profile, [...common, ...own[operation]]);
}

/** The same for a control, or any other route that is no operation of the platform. */
export function refusalsOfControls(profile: WireProfile): Refusals {
  return refusals(profile, [...common, 'NOT_FOUND', 'ILLEGAL_STATE', 'NO_AVAILABILITY', 'PAYLOAD_TOO_LARGE']);
}

type Refusals = Record<string, { description: string; content: object }>;

function refusals({ errors }: WireProfile, codes: readonly PlatformCode[]): Refusals {
  const byStatus = new Map<number, { codes: PlatformCode[]; bodies: unknown[] }>();
  for (const code of codes) {
    const { status, body } = errors.encode({ code, message: 'what is wrong, and what would be right' });
    const answers = byStatus.get(status) ?? { codes: [], bodies: [] };
    byStatus.set(status, { codes: [...answers.codes, code], bodies: [...answers.bodies, body] });
  }
  return Object.fromEntries(
    [...byStatus].map(([status, { codes, bodies }]) => {
      const examples = Object.fromEntries(bodies.map((value, at) => [codes[at] ?? at, { value }]));
      const content = { 'application/json': { schema: schemaOf(bodies, codes), examples } };
      return [status, { description: codes.join(', '), content }];
    }),
  );
}

/** The schema that all examples fit: objects of texts, with the codes as an enumeration where they stand. */
function schemaOf(examples: unknown[], codes: readonly string[]): object {
  const objects = examples.filter((example) => typeof example === 'object' && example !== null);
  if (objects.length < examples.length)
    return codes.includes(examples[0] as string) ? { type: 'string', enum: examples } : { type: 'string' };
  const keys = Object.keys(objects[0] ?? {});
  const of = (key: string) => objects.map((example) => (example as Record<string, unknown>)[key]);
  const properties = Object.fromEntries(keys.map((key) => [key, schemaOf(of(key), codes)]));
  return { type: 'object', properties, required: keys };
}

function command(): readonly PlatformCode[] {
  return ['FORBIDDEN', 'NOT_FOUND', 'ILLEGAL_STATE', 'PAYLOAD_TOO_LARGE'];
}

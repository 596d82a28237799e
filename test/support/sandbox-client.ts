import { keys, type TestSandbox } from './sandbox.js';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  body: any;
}

export const hour = 3_600_000;
const driver = {
  name: '김시험',
  birth: '19900131',
  phone: '01000001234',
  licenseNumber: '00-00-000000-00',
  address: '서울시 중구 1',
};

/** A smallest JPEG as far as its first bytes go. */
export const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);

/** Speaks to a sandbox over HTTP under the default profile. */
export function sandboxClient(sandbox: TestSandbox) {
  let slot = 0;
  let first = Date.now() + 24 * hour;

  async function call(
    method: string,
    path: string,
    options: { key?: string; body?: unknown } = {},
  ): Promise<Answer> {
    const { key, body } = options;
    const form = body instanceof FormData;
    const response = await fetch(sandbox.url + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  /** Periods of one hour that no other booking of this client has. */
  function nextPeriod() {
    const startAt = first + slot++ * 2 * hour;
    return { startAt: new Date(startAt).toISOString(), endAt: new Date(startAt + hour).toISOString() };
  }

  const bookingBody = (changes: object = {}) => ({
    productId: 301,
    ...nextPeriod(),
    pickupAddress: '서울역 1번 출구',
    driver,
    ...changes,
  });

  const book = (changes?: object) =>
    call('POST', '/reservations', { key: keys.channel, body: bookingBody(changes) });

  const control = (method: string, path: string, body?: unknown) =>
    call(method, `/sandbox${path}`, body === undefined ? {} : { body });

  return {
    /** Freezes the sandbox's clock and books a day later from then on. @returns the instant */
    async freeze(): Promise<number> {
      const { body } = await control('POST', '/clock', { freeze: true });
      first = Date.parse(body.now) + 24 * hour;
      return Date.parse(body.now);
    },
    call,
    book,
    bookingBody,
    nextPeriod,
    /** Books and gives the id. */
    async booked(changes?: object): Promise<number> {
      const { status, body } = await book(changes);
      if (status !== 200) throw new Error(`booking answered ${status} ${JSON.stringify(body)}`);
      return body.reservationId;
    },
    /** A command of the rental company, e.g. `PUT`, `dispatch/start`. */
    command: (method: string, id: number | string, step: string, body?: unknown, key = keys.supplier) =>
      call(method, `/developer/v1/reservation/${id}/${step}`, { key, ...(body !== undefined && { body }) }),
    customer: (id: number, move: 'start-use' | 'return' | 'cancel') =>
      call('POST', `/sandbox/reservations/${id}/${move}`),
    control,
    truth: async (id: number) => (await call('GET', `/sandbox/reservations/${id}`)).body,
    photo(bytes: Uint8Array = jpeg, fields: Record<string, string> = {}, field = 'image') {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append(field, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'photo.jpg');
      return form;
    },
  };
}
export type SandboxClient = ReturnType<typeof sandboxClient>;

import { type Dispatcher, FormData, request } from 'undici';

export interface HttpAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: its reader knows the form
  body: any;
}

/** Sends one request to one system with one token. A body is sent as JSON, a form as multipart. */
export type Send = (
  method: Dispatcher.HttpMethod,
  path: string,
  options?: { body?: object; headers?: Record<string, string> },
) => Promise<HttpAnswer>;

/** @param more the connections to use, and the signal that aborts requests */
export function createSender(
  origin: string,
  token: string,
  more: { dispatcher?: Dispatcher; signal?: AbortSignal } = {},
): Send {
  return async (method, path, { body, headers } = {}) => {
    const isForm = body instanceof FormData;
    const answer = await request(origin + path, {
      ...more,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const isJson = /json/.test(String(answer.headers['content-type']));
    return { status: answer.statusCode, body: isJson && text !== '' ? JSON.parse(text) : text };
  };
}

/** A write of a person: repeated with the same key, it acts once. */
export interface KeyedWrite {
  key: string;
  body: object;
}

/** Sends a write with its idempotency key. */
export function sendWrite(
  send: Send,
  method: Dispatcher.HttpMethod,
  path: string,
  { key, body }: KeyedWrite,
): Promise<HttpAnswer> {
  return send(method, path, { body, headers: { 'idempotency-key': key } });
}

/** Wraps `send` for requests that must succeed. @throws RefusedRequestError for an answer of 300 or above */
export function mustSucceed(send: Send): Send {
  return async (method, path, options) => {
    const answer = await send(method, path, options);
    if (answer.status < 300) return answer;
    throw new RefusedRequestError(`${method} ${path}`, answer);
  };
}

/** A request was refused or failed; `status` and `code` as they were answered. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly status: number;
  constructor(what: string, { status, body }: HttpAnswer) {
    const { code = '', message = body, detail = message } = body ?? {};
    super(`${what} was answered ${status} ${code}: ${detail}`.trim());
    this.status = status;
  }
}

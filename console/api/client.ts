import { isLogOutOpen } from '../state/log-out.js';
import { language } from '../texts/index.js';
import { type Endpoint, endpoints, type Request } from './endpoints.js';
import { parsed } from './parsed.js';
import { isProblem } from './problem.js';
import type { Received } from './read-answer.js';
import type { Problem } from './types.js';
import { withSearch } from './with-search.js';

/** A refusal (with its problem document), or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    /** The HTTP status; 0: no answer arrived. */
    readonly status: number,
    readonly problem: Problem | null,
  ) {
    super(problem?.detail ?? `HTTP ${status}`);
  }

  /** The request may have been executed: no answer, or none that shows what happened. */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** Milliseconds to add to the browser's clock for the service's time. */
export let clockOffsetMs = 0;
/** Called with every 401: the login is over. */
export const onExpired: { run: () => void } = { run: () => {} };

/** On every answer of the API. A network's own login page, or a proxy, answers any request with a success or a refusal of its own. */
const apiMark = 'handover-api';
/** The API answers a write within 10 s; a photo may be slow to send. */
const answerWithinMs = { read: 15_000, write: 20_000, photo: 90_000 };

/**
 * Sends one request.
 * @throws `ApiError` for every answer that is no success, and where none arrives
 */
export async function send<Answer>(
  endpoint: Endpoint<Answer>,
  request: Request = {},
): Promise<{ status: number; body: Answer }> {
  const { method, path } = endpoint;
  // after a logout that the service has not confirmed nothing is sent but this, and the login itself
  if (isLogOutOpen.value && path !== endpoints.logout.path) throw new ApiError(401, null);
  const { body, key } = request;
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': language.value };
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['idempotency-key'] = key;
  const within = answerWithinMs[method === 'GET' ? 'read' : isForm ? 'photo' : 'write'];
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(endpoint, request), {
      method,
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(within),
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    text = await response.text();
  } catch {
    throw new ApiError(0, null);
  }
  if (!response.headers.has(apiMark)) throw new ApiError(0, null);
  readClock(response);
  const answer = parsed(text);
  if (response.ok) {
    if (response.status !== 204 && answer === undefined) throw new ApiError(0, null);
    return { status: response.status, body: answer as Answer };
  }
  if (response.status === 401) onExpired.run();
  throw new ApiError(response.status, isProblem(answer) ? answer : null);
}

/** The same for a caller that reads a failure as an answer too: its body is the problem document, where it has one. */
export async function receive(endpoint: Endpoint<unknown>, request: Request): Promise<Received> {
  try {
    return await send(endpoint, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: error.problem };
  }
}

/** Where it is requested. */
export function addressOf(
  { path }: Pick<Endpoint<unknown>, 'path'>,
  { params = {}, query = {} }: Request,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return withSearch(filled, new URLSearchParams(given));
}

/** The header has whole seconds, so less than two are no difference. */
function readClock(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const offset = date + 500 - Date.now();
  clockOffsetMs = Math.abs(offset) < 2_000 ? 0 : offset;
}

/** What a request on the stage brought. */
export interface Heard {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered; its reader knows
  body: any;
}

export type Ask = (
  method: string,
  path: string,
  options?: { body?: object | FormData; headers?: Record<string, string> },
) => Promise<Heard>;

/** Speaks to one side of the stage, over real HTTP. */
export function talk(origin: string, token: string): Ask {
  return async (method, path, { body, headers = {} } = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
  };
}

/** @throws Error where a control of the stage was refused: a scenario asks for what cannot be. */
export async function demand(ask: Ask, ...[method, path, options]: Parameters<Ask>): Promise<Heard> {
  const heard = await ask(method, path, options);
  if (heard.status < 300) return heard;
  const { code = '', message = heard.body, detail = message } = heard.body ?? {};
  throw new StageRefusal(`${method} ${path} was answered ${heard.status} ${code}: ${detail}`.trim());
}

/** The platform's side of the stage refused a move of the story. */
class StageRefusal extends Error {
  override readonly name = 'StageRefusal';
}

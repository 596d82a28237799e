import type { FastifyRequest } from 'fastify';

/**
 * Whether a page of this very server sent the request, by what a browser writes and a page cannot: `Sec-Fetch-Site`,
 * else `Origin`. Undefined: the request has neither, so no page sent it, or an old browser over plain http.
 */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host;
}

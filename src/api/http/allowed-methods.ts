import type { FastifyInstance } from 'fastify';

export interface AllowedMethods {
  /** Methods of the route with this exact path; where there is none, of the routes whose parameters fit it. */
  of(path: string): string[];
  /** False where `path` is itself a route that does not take `method`, and a route with parameters would. */
  allows(path: string, method: string): boolean;
}

/** Collects the routes that `app` registers from now on, to distinguish a wrong method (405) from an unknown path (404). */
export function allowedMethods(app: FastifyInstance): AllowedMethods {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  return {
    of(path) {
      const found = [...methods].filter(([pattern]) => matches(pattern, path)).map(([, known]) => known);
      const exact = methods.get(path);
      const known = exact === undefined ? found : [exact];
      return [...new Set(known.flatMap((names) => [...names]))].sort();
    },
    allows: (path, method) => methods.get(path)?.has(method) ?? true,
  };
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (pattern.includes('*') || wanted.length !== given.length) return false;
  return wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]));
}

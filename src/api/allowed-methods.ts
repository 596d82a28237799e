import type { FastifyInstance } from 'fastify';

/** Remembers the routes of `app` from now on, to tell a wrong method (405) from an unknown path (404). */
export function allowedMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  return (path) => {
    const found = [...methods].filter(([pattern]) => matches(pattern, path));
    return [...new Set(found.flatMap(([, known]) => [...known]))].sort();
  };
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (pattern.includes('*') || wanted.length !== given.length) return false;
  return wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]));
}

/** A body of the wire with one value of it replaced by one of another type. */

export type Path = readonly (string | number)[];

/** Of every kind that JSON has; `undefined` takes the field away. */
export const kinds = [7, 'x', true, {}, [1], null, undefined] as const;
export type Kind = (typeof kinds)[number];

/** Every place of a body, its parts before it, lists by their first item. */
export function placesOf(body: unknown, at: Path = []): Path[] {
  if (typeof body !== 'object' || body === null) return [];
  const parts: [string | number, unknown][] = Array.isArray(body)
    ? body.slice(0, 1).map((item) => [0, item])
    : Object.entries(body);
  return parts.flatMap(([name, part]) => [[...at, name], ...placesOf(part, [...at, name])]);
}

export function replaced(body: unknown, path: Path, by: Kind): unknown {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((part, name) => (part as typeof copy)[name], copy) as typeof copy;
  if (by === undefined) delete holder[last];
  else holder[last] = by;
  return copy;
}

export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null
        ? (part as Record<string | number, unknown>)[name]
        : undefined,
    value,
  );
}

/** As logs and errors name it. */
export const nameOf = (path: Path) => path.filter((part) => typeof part === 'string').join('.');

/** As the messages of misfits name it. */
export const typeOf = (by: Kind) =>
  by === undefined ? 'nothing' : by === null ? 'null' : Array.isArray(by) ? 'array' : typeof by;

/** Receives lines for a person who waits. */
export type OnProgress = (line: string) => void;

/** One way to get an engine, in the words of the person who may have to provide it. */
export interface Source {
  /** `TEMPORAL_CLI_PATH: path of a temporal binary`. */
  way: string;
  /** This way makes an engine with this server version, and no other. */
  serverVersion?: string | undefined;
  /** The engine's path, or why this way has none. */
  find(): Promise<Found>;
}

/** `wrong` = the person asked for this very way and it cannot work: looking further would hide a mistake. */
export type Found = { path: string } | { missing: string } | { wrong: string };

/** No way led to the engine; the message lists each one and what was in its way. */
export class EngineNotFoundError extends Error {
  override readonly name = 'EngineNotFoundError';
}

/**
 * Asks each source in its order and takes the first engine found.
 * @param instead further ways out, for the message
 * @throws `EngineNotFoundError` at once for a source that is `wrong`, or when no source has one.
 */
export async function firstFound(title: string, sources: Source[], ...instead: string[]): Promise<string> {
  const tried: string[] = [];
  for (const source of sources) {
    const found = await source.find();
    if ('path' in found) return found.path;
    if ('wrong' in found) throw new EngineNotFoundError(`${title}: ${found.wrong}`);
    tried.push(`  - ${source.way} (${found.missing})`);
  }
  tried.push(...instead.map((way) => `  - ${way}`));
  throw new EngineNotFoundError([`No ${title} found. Any one of these provides it:`, ...tried].join('\n'));
}

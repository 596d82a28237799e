/** Receives progress messages for an operator. */
export type OnProgress = (line: string) => void;

/** One way to get an engine. Its texts are for the operator who may have to provide it. */
export interface Source {
  /** `TEMPORAL_CLI_PATH: path of a temporal binary`. */
  way: string;
  /** The only server version that this source can provide. */
  serverVersion?: string | undefined;
  /** The engine's path, or why this source has no engine. */
  find(): Promise<Found>;
}

/** `wrong`: an operator configured this source, and it cannot work. Another source would hide the mistake. */
export type Found = { path: string } | { missing: string } | { wrong: string };

/** No source has the engine. The message lists each source with its reason. */
export class EngineNotFoundError extends Error {
  override readonly name = 'EngineNotFoundError';
}

/**
 * Tries the sources in their order and returns the first engine found.
 * @param instead further advice for the message
 * @throws `EngineNotFoundError` at once where a source is `wrong`, or where no source has an engine
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

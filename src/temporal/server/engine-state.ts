import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serverVersion } from './server-version.js';

/**
 * The state that the embedded engine continues. The engine does not migrate a state file between server versions, so
 * the version is part of its name.
 */
export interface EngineState {
  folder: string;
  /** Version of the Temporal server that created the state: `1.29.1`. */
  version: string;
  /** Path of the executable that last used the state. Releases before 0.3.0 did not record it. */
  binary?: string;
}

/** @returns undefined for a folder without state, in which any engine version can start */
export async function engineStateOf(folder: string): Promise<EngineState | undefined> {
  const present = await stateFiles(folder);
  const recorded = await readRecorded(folder);
  if (recorded !== undefined && present.some(({ version }) => version === recorded.version)) {
    return { folder, ...recorded };
  }
  const [last] = present.sort((a, b) => b.usedAt - a.usedAt);
  return last && { folder, version: last.version };
}

/**
 * Claims the state file of `folder` for `binary`, and records which engine uses it.
 * @returns its path
 * @throws an `Error` when the folder holds the state of another server version
 */
export async function claimState(
  binary: string,
  folder: string,
  onProgress: (line: string) => void = () => {},
): Promise<string> {
  const version = await serverVersion(binary);
  const state = await engineStateOf(folder);
  if (state !== undefined && state.version !== version) {
    throw new Error(`${describeState(state)} ${binary} is server ${version}. ${waysOut(state).join('. ')}`);
  }
  const others = (await stateFiles(folder)).filter((file) => file.version !== version);
  if (others.length > 0) {
    const names = others.map((file) => fileName(file.version)).join(', ');
    onProgress(
      `${folder} also holds the state of another Temporal server (${names}), which is not used. To continue that ` +
        `instead, stop Handover and move ${fileName(version)}* out of the folder`,
    );
  }
  await writeRecorded(folder, { version, binary: resolve(binary) });
  return join(folder, fileName(version));
}

/** For operators: which version the state belongs to, and why another version cannot use it. */
export function describeState({ folder, version, binary }: EngineState): string {
  const place = binary === undefined ? '' : ` (last run from ${binary})`;
  return `${folder} holds the state of Temporal server ${version}${place}, which no other version can read.`;
}

/** For operators without the engine of this state: how to install it, or how to start without the state. */
export function waysOut({ folder, version }: EngineState): string[] {
  return [
    `a Temporal CLI with server ${version} (\`temporal --version\` shows it) from https://github.com/temporalio/cli/releases: set TEMPORAL_CLI_PATH to it`,
    `to begin empty on purpose, without the open reservations: move ${fileName(version)}* out of ${folder}`,
  ];
}

const fileName = (version: string): string => `temporal-${version}.db`;

/** Each version's state file with the time of its last use in ms. SQLite writes to the `-wal` file first. */
async function stateFiles(folder: string): Promise<{ version: string; usedAt: number }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const versions = names.flatMap((name) => /^temporal-(.+)\.db$/.exec(name)?.[1] ?? []);
  const usedAt = async (version: string) => {
    const path = join(folder, fileName(version));
    const log = await stat(`${path}-wal`).catch(() => undefined);
    return Math.max((await stat(path)).mtimeMs, log?.mtimeMs ?? 0);
  };
  return Promise.all(versions.map(async (version) => ({ version, usedAt: await usedAt(version) })));
}

type Recorded = Required<Pick<EngineState, 'version' | 'binary'>>;

/** A separate file, because the record of the running engine is removed when the engine ends. */
const recordPath = (folder: string): string => join(folder, 'engine-version.json');

async function readRecorded(folder: string): Promise<Recorded | undefined> {
  try {
    const { version, binary } = JSON.parse(await readFile(recordPath(folder), 'utf8'));
    if (typeof version === 'string' && typeof binary === 'string') return { version, binary };
  } catch {
    // a folder of an earlier release, or an incomplete record after the disk was full: use the file names
  }
  return undefined;
}

async function writeRecorded(folder: string, recorded: Recorded): Promise<void> {
  const path = recordPath(folder);
  await writeFile(`${path}.new`, `${JSON.stringify(recorded)}\n`);
  await rename(`${path}.new`, path);
}

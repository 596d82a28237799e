import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLineOf, isAlive } from './process-info.js';

/** What the data folder remembers of its running engine: enough to find it again after a SIGKILL of this process. */
export interface DevServerRecord {
  pid: number;
  port: number;
  uiPort: number | null;
  /** The state file it has open. */
  database: string;
}

function recordPath(folder: string): string {
  return join(folder, 'engine.json');
}

/** Written synchronously right after the start: there must be no moment in which an engine runs unrecorded. */
export function writeRecord(folder: string, record: DevServerRecord): void {
  const path = recordPath(folder);
  writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`);
  renameSync(`${path}.new`, path);
}

export function removeRecord(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

/**
 * The engine that still runs on this data folder. A record whose process is gone, or whose id now belongs to
 * another program, is removed.
 */
export async function leftoverOf(folder: string): Promise<DevServerRecord | undefined> {
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  if (isAlive(record.pid) && (await isThatEngine(record))) return record;
  removeRecord(folder);
  return undefined;
}

/** Where the system does not show command lines, a living process id counts: its port is asked next anyway. */
async function isThatEngine({ pid, database }: DevServerRecord): Promise<boolean> {
  const commandLine = await commandLineOf(pid);
  if (commandLine === undefined) return isAlive(pid);
  return commandLine.includes('start-dev') && commandLine.includes(database);
}

/** What is remembered, whether it still runs or not. */
export function readRecord(folder: string): DevServerRecord | undefined {
  try {
    const { pid, port, uiPort, database } = JSON.parse(readFileSync(recordPath(folder), 'utf8'));
    if (Number.isInteger(pid) && Number.isInteger(port) && typeof database === 'string') {
      return { pid, port, uiPort: Number.isInteger(uiPort) ? uiPort : null, database };
    }
  } catch {
    // no record, or half a one of a full disk
  }
  return undefined;
}

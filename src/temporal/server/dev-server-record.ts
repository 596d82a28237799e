import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLineOf, isAlive } from './process-info.js';

/** The data folder's record of its running engine, by which a new process finds it after a SIGKILL of this one. */
export interface DevServerRecord {
  pid: number;
  port: number;
  uiPort: number | null;
  /** Path of the engine's state file. */
  database: string;
}

function recordPath(folder: string): string {
  return join(folder, 'engine.json');
}

/** Synchronous, and called directly after the start, so that no engine runs without a record. */
export function writeRecord(folder: string, record: DevServerRecord): void {
  const path = recordPath(folder);
  writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`);
  renameSync(`${path}.new`, path);
}

export function removeRecord(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

/**
 * The record of an engine that still runs on this data folder. Removes the record where its process has ended, or its
 * process id belongs to another program.
 */
export async function leftoverOf(folder: string): Promise<DevServerRecord | undefined> {
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  if (await isThatEngine(record)) return record;
  removeRecord(folder);
  return undefined;
}

/**
 * Whether the record's process runs, and is its engine. Where the system does not show command lines, a living process
 * id is enough.
 */
export async function isThatEngine({ pid, database }: DevServerRecord): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const commandLine = await commandLineOf(pid);
  if (commandLine === undefined) return isAlive(pid); // it may have ended meanwhile
  return commandLine.includes('start-dev') && commandLine.includes(database);
}

/** The record, whether its engine still runs or not. */
export function readRecord(folder: string): DevServerRecord | undefined {
  try {
    const { pid, port, uiPort, database } = JSON.parse(readFileSync(recordPath(folder), 'utf8'));
    if (Number.isInteger(pid) && Number.isInteger(port) && typeof database === 'string') {
      return { pid, port, uiPort: Number.isInteger(uiPort) ? uiPort : null, database };
    }
  } catch {
    // no record, or an incomplete one after the disk was full
  }
  return undefined;
}

import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { privateFile } from '../store/files/durable-file.js';

export interface LogFileOptions {
  /** The file is set aside once it would grow beyond this. */
  maxBytes?: number;
  /** How many older files are stored: `handover.log.1` is the newest. */
  files?: number;
  /** How a file is renamed and copied; a test has them fail. */
  rename?: (from: string, to: string) => void;
  copy?: (from: string, to: string) => void;
}

/** A destination of the log that counts what it could not write. */
export interface CountingDestination {
  write(line: string): void;
  /** Number of lines that could not be written. */
  readonly lost: number;
}

const newLine = 10;

/**
 * A log file that rotates by size. A disk that is full, a folder that is gone or any other failure ends nothing: the line
 * is lost and counted, and the next one tries again. A rotation that fails loses no line: the file grows on.
 */
export class LogFile implements CountingDestination {
  lost = 0;
  private readonly maxBytes: number;
  private readonly files: number;
  private readonly rename: (from: string, to: string) => void;
  private readonly copy: (from: string, to: string) => void;
  private file: number | undefined;
  private size = 0;
  /** Beyond this size the file is set aside; further away after each rotation that failed. */
  private rotateBeyond: number;
  /** The log already has a line that the file cannot be set aside. */
  private hasReportedGrowth = false;
  /** The last line was cut off: the next one begins a new line. */
  private isCut = false;
  /** Lost since the last line that was written. */
  private unreported = 0;

  /** @throws where the file cannot be opened: the command reports it at its start */
  constructor(
    private readonly path: string,
    { maxBytes = 50 * 1024 * 1024, files = 5, rename = renameSync, copy = copyFileSync }: LogFileOptions = {},
  ) {
    this.maxBytes = maxBytes;
    this.rotateBeyond = maxBytes;
    this.files = files;
    this.rename = rename;
    this.copy = copy;
    this.open();
  }

  write(line: string): void {
    try {
      if (this.file === undefined) this.open();
      const bytes = Buffer.from(line);
      if (this.size > 0 && this.size + bytes.length > this.rotateBeyond) this.rotate();
      if (this.isCut) this.append(Buffer.from([newLine]));
      if (this.unreported > 0) this.append(Buffer.from(this.report()));
      this.unreported = 0;
      this.append(bytes);
    } catch {
      this.lost++;
      this.unreported++;
      this.close();
    }
  }

  private open(): void {
    this.file = openSync(this.path, 'a', privateFile);
    this.size = fstatSync(this.file).size;
  }

  private append(bytes: Buffer): void {
    if (this.file === undefined) return;
    for (let at = 0; at < bytes.length; ) {
      this.isCut = true;
      const written = writeSync(this.file, bytes, at);
      this.size += written;
      at += written;
      this.isCut = bytes[at - 1] !== newLine;
    }
  }

  private report(): string {
    return lineOf({ lostLines: this.unreported, msg: 'lines of the log were lost: it could not be written' });
  }

  /** Sets the file aside. Where that fails it grows on, and is set aside some lines later. */
  private rotate(): void {
    // before it is renamed: Windows renames no open file
    this.close();
    const failure = this.setAside();
    this.open();
    this.rotateBeyond = failure === undefined ? this.maxBytes : this.size + this.maxBytes / 10;
    if (failure !== undefined && !this.hasReportedGrowth) {
      const msg = 'the log could not be set aside: it grows until that works';
      this.append(Buffer.from(lineOf({ code: failure, msg })));
    }
    this.hasReportedGrowth = failure !== undefined;
  }

  /** Moves each file to the next number, the oldest first, up to the first that fails. @returns why one failed */
  private setAside(): string | undefined {
    try {
      for (let number = this.files; number > 0; number--) {
        const older = number === 1 ? this.path : `${this.path}.${number - 1}`;
        if (existsSync(older)) this.move(older, `${this.path}.${number}`);
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
    }
  }

  /** Where another program has the file open and so prevents the rename, copies and empties the file instead. */
  private move(from: string, to: string): void {
    try {
      this.rename(from, to);
    } catch {
      this.copy(from, to);
      truncateSync(from);
    }
  }

  private close(): void {
    const { file } = this;
    this.file = undefined;
    try {
      if (file !== undefined) closeSync(file);
    } catch {
      // it is open no longer either way
    }
  }
}

/** A line in the format of pino's. */
function lineOf(content: { msg: string; [member: string]: unknown }): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), ...content })}\n`;
}

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { LogFile } from '../../src/app/log-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handover-log-'));
  path = join(folder, 'handover.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

it('a log is rotated by size, the oldest file is deleted, and no line is lost or torn', () => {
  const log = new LogFile(path, { maxBytes: 100, files: 2 });
  for (let line = 0; line < 40; line++) log.write(`line ${String(line).padStart(4, '0')}\n`);
  const written = [`${path}.2`, `${path}.1`, path].flatMap(linesOf);
  expect(written).toEqual(
    Array.from(
      { length: written.length },
      (_, at) => `line ${String(40 - written.length + at).padStart(4, '0')}`,
    ),
  );
  for (const file of [path, `${path}.1`, `${path}.2`]) {
    expect(statSync(file).size).toBeLessThanOrEqual(100);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  expect(existsSync(`${path}.3`)).toBe(false);
  expect(log.lost).toBe(0);
});

it('a start continues the file, with its size', () => {
  writeFileSync(path, `${'x'.repeat(90)}\n`);
  new LogFile(path, { maxBytes: 100 }).write('a line of twenty byte\n');
  expect(linesOf(path)).toEqual(['a line of twenty byte']);
  expect(linesOf(`${path}.1`)).toEqual(['x'.repeat(90)]);
});

it('a line that cannot be written is counted and never throws; the next line that can be written reports the number', () => {
  const log = new LogFile(path, { maxBytes: 100 });
  log.write(`${'x'.repeat(90)}\n`);
  // a folder stands where the file is to be set aside: nothing can be written, as on a full disk
  rmSync(path);
  writeFileSync(path, '');
  rmSync(folder, { recursive: true });
  const logger = createLogger('info', log);
  for (let line = 0; line < 3; line++) logger.info('lost');
  expect(log.lost).toBe(3);
});

it.runIf(existsSync('/dev/full'))('a line is counted on a full disk too', () => {
  const log = new LogFile('/dev/full');
  const logger = createLogger('info', log);
  for (let line = 0; line < 3; line++) logger.info('lost');
  expect(log.lost).toBe(3);
});

it('after an outage the next line follows a report of the missing ones', () => {
  const log = new LogFile(path, { maxBytes: 40, files: 1 });
  log.write('first\n');
  // neither the file nor its folder can be opened after it is set aside, as on a disk that is gone
  rmSync(folder, { recursive: true });
  for (let line = 0; line < 2; line++) log.write(`${'x'.repeat(40)}\n`);
  expect(log.lost).toBe(2);
  mkdirSync(folder);
  log.write('second\n');
  const [report = '', second] = linesOf(path);
  expect(second).toBe('second');
  expect(JSON.parse(report)).toMatchObject({ level: 40, lostLines: 2 });
});

/** As Windows refuses it while another program has the file open. */
const refuses = () => {
  throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
};
/** The lines of a test; the log's own are JSON. */
const own = (file: string) => linesOf(file).filter((line) => !line.startsWith('{'));
const numbered = (log: LogFile, count: number) => {
  const lines = Array.from({ length: count }, (_, at) => `line ${String(at).padStart(4, '0')}`);
  for (const line of lines) log.write(`${line}\n`);
  return lines;
};

describe('a rotation that fails loses no line', () => {
  it('renaming is refused: the file is copied and emptied instead', () => {
    const log = new LogFile(path, { maxBytes: 100, files: 50, rename: refuses });
    const lines = numbered(log, 15);
    expect(existsSync(`${path}.1`)).toBe(true);
    expect(own(`${path}.1`)).toEqual(lines.slice(0, 10));
    expect(own(path)).toEqual(lines.slice(10));
    expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
    expect(log.lost).toBe(0);
  });

  it('renaming and copying are refused: the file grows further, reports this once, and is rotated once it can be', () => {
    let isRefused = true;
    const move = (by: (from: string, to: string) => void) => (from: string, to: string) =>
      isRefused ? refuses() : by(from, to);
    const log = new LogFile(path, {
      maxBytes: 100,
      files: 2,
      rename: move(renameSync),
      copy: move(copyFileSync),
    });
    const lines = numbered(log, 40);
    expect(own(path)).toEqual(lines);
    const reports = linesOf(path).filter((line) => line.startsWith('{'));
    expect(reports.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, code: 'EPERM' }]);
    isRefused = false;
    const more = numbered(log, 3);
    expect([`${path}.1`, path].flatMap(own)).toEqual([...lines, ...more]);
    expect(log.lost).toBe(0);
  });

  it('an older file cannot be moved: none is overwritten', () => {
    const held = `${path}.1`;
    const rename = (from: string, to: string) => (from === held ? refuses() : renameSync(from, to));
    writeFileSync(held, 'older\n');
    const log = new LogFile(path, { maxBytes: 100, files: 3, rename, copy: refuses });
    const lines = numbered(log, 15);
    expect(linesOf(held)).toEqual(['older']);
    expect(own(path)).toEqual(lines);
    expect(log.lost).toBe(0);
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonTool } from './python-tool.js';

const run = promisify(execFile);

/** The property-based tester of API documents: its path, or why it cannot be had here. */
export const schemathesis = () => pythonTool('schemathesis', '4.32.5');

/**
 * Runs its default checks against a service.
 * @returns its report, and whether every check held
 */
export async function checkDocument(
  path: string,
  service: { url: string; token: string; seed: number },
): Promise<{ holds: boolean; report: string }> {
  const args = ['run', `${service.url}/docs/json`, '--max-examples', '8', '--seed', String(service.seed)];
  const options = ['--no-color', '--request-timeout', '30', '--suppress-health-check', 'all'];
  // a stream has no end
  options.push('--exclude-path', '/api/changes');
  const cwd = await mkdtemp(join(tmpdir(), 'handover-documents-'));
  const headers = ['-H', `Authorization: Bearer ${service.token}`];
  try {
    const { stdout } = await run(path, [...args, ...options, ...headers], {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { holds: true, report: stdout };
  } catch (error) {
    const report = (error as { stdout?: string }).stdout ?? String(error);
    return { holds: false, report: report.slice(Math.max(0, report.search(/=+ (?:FAILURES|ERRORS)/))) };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

import { ConfigError } from '../../app/config/index.js';
import { printLine } from '../../app/startup/until-stopped.js';
import { WireProfileError } from '../../platform/profiles/index.js';
import { examine } from './examine.js';
import { createCheck, type Finding } from './finding.js';
import { asJson, conclusion, isSound, toLine } from './report.js';

export interface DoctorOptions {
  env: NodeJS.ProcessEnv;
  json: boolean;
  /** Base address that the platform has for callbacks. */
  callbackUrl?: string | undefined;
}

/**
 * `handover doctor`: checks a configuration against the systems that it names, and changes nothing.
 * @returns whether no check failed
 * @throws as the start does where the configuration itself cannot be read, but for `json`
 */
export async function doctor({ env, json, callbackUrl }: DoctorOptions): Promise<boolean> {
  const findings: Finding[] = [];
  try {
    for await (const finding of examine(env, callbackUrl)) {
      findings.push(finding);
      if (!json) printLine(toLine(finding));
    }
  } catch (error) {
    if (!json) throw error;
    findings.push(...toFailures(error));
  }
  printLine(json ? JSON.stringify(asJson(findings, Date.now()), null, 2) : conclusion(findings));
  return isSound(findings);
}

function toFailures(error: unknown): Finding[] {
  if (error instanceof ConfigError)
    return error.problems.map(({ variable, message }) =>
      createCheck('configuration', variable).fail(message),
    );
  if (error instanceof WireProfileError)
    return [createCheck('configuration', 'WIRE_PROFILE').fail(error.message)];
  throw error;
}

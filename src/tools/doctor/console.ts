import { createCheck, type Finding } from './finding.js';

const withinMs = 5_000;

/** Whether a running Handover serves the console. @param api its base address */
export async function checkConsole(api: string): Promise<Finding> {
  const check = createCheck('console', `${api}/`);
  const status = await fetch(`${api}/`, { signal: AbortSignal.timeout(withinMs) }).then(
    (response) => response.status,
    () => undefined,
  );
  if (status === 200) return check.ok('served; staff log in with a token of HANDOVER_TOKENS');
  return check.fail(status === undefined ? 'does not answer' : `answers ${status}`, {
    todo: 'build it with `npm run build`, and start Handover again',
  });
}

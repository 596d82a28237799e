import { leadsTo } from './address.js';
import { insecureSettings, isLoopback } from './insecure.js';
import type { Problem } from './problem.js';
import { callbackSecretsProblem, type Values, type VariableName } from './variables.js';

type Env = Readonly<Record<string, string>>;

/** Problems between variables that are each well-formed. `env` has no empty values. */
export function crossChecks(env: Env, values: Values, part: { receives: boolean }): Problem[] {
  return [
    ...portClashes(values),
    ...temporalProblems(env),
    ...deploymentProblems(values),
    ...platformProblems(env, values),
    ...callbackProblems(env, values, part),
    ...retentionProblems(values),
    ...forwardProblems(env, values, part),
    ...oidcProblems(env, values),
    ...insecureSettings(values),
  ];
}

function portClashes(values: Values): Problem[] {
  const ports: [VariableName, number | undefined][] = [
    ['HANDOVER_PORT', values.HANDOVER_PORT ?? 8080],
    ['CALLBACK_PORT', values.CALLBACK_PORT],
    ['SANDBOX_PORT', values.SANDBOX_PORT ?? 9090],
    ['HANDOVER_TEMPORAL_PORT', values.HANDOVER_TEMPORAL_PORT ?? 7233],
    ['HANDOVER_TEMPORAL_UI_PORT', values.HANDOVER_TEMPORAL_UI_PORT ?? 8233],
  ];
  // no process listens on both this one and the API's: its default blocks no other process
  if (values.WORKER_PORT !== undefined) ports.push(['WORKER_PORT', values.WORKER_PORT]);
  return ports.flatMap(([variable, port], index) => {
    const other = ports
      .slice(0, index)
      .find(([, earlierPort]) => earlierPort === port && port !== 0 && port !== undefined);
    if (other === undefined) return [];
    return [{ variable, message: `is ${port}, as ${other[0]} is; give each a port of its own` }];
  });
}

function temporalProblems(env: Env): Problem[] {
  if (isExternalTemporal(env)) return [];
  const belongs = /^TEMPORAL_(NAMESPACE|API_KEY|TLS.*|GRPC_META_.*|DEPLOYMENT_NAME)$/;
  return Object.keys(env)
    .filter((variable) => belongs.test(variable))
    .map((variable) => ({
      variable,
      message: 'is set without TEMPORAL_ADDRESS; set that too, or unset this one to use the embedded engine',
    }));
}

/** A build id alone turns nothing on. */
function deploymentProblems({
  TEMPORAL_DEPLOYMENT_NAME: name,
  TEMPORAL_WORKER_BUILD_ID: buildId,
}: Values): Problem[] {
  if (buildId === undefined || name !== undefined) return [];
  const message =
    'is set without TEMPORAL_DEPLOYMENT_NAME; set that too, or unset it to run workers without versions';
  return [{ variable: 'TEMPORAL_WORKER_BUILD_ID', message }];
}

/** Whether the environment names a Temporal service: then the embedded engine stays off. */
export function isExternalTemporal(env: Env): boolean {
  return ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'].some(
    (name) => env[name] !== undefined,
  );
}

function platformProblems(env: Env, values: Values): Problem[] {
  const given = [
    { variable: 'PLATFORM_CHANNEL_API_KEY', role: 'channel', key: values.PLATFORM_CHANNEL_API_KEY },
    { variable: 'PLATFORM_SUPPLIER_API_KEY', role: 'supplier', key: values.PLATFORM_SUPPLIER_API_KEY },
  ].filter(({ key }) => key !== undefined);
  if (env.PLATFORM_BASE_URL !== undefined) {
    if (given.length > 0) return [];
    const message =
      'is set without a key; set PLATFORM_CHANNEL_API_KEY, PLATFORM_SUPPLIER_API_KEY or both, one per role';
    return [{ variable: 'PLATFORM_BASE_URL', message }];
  }
  return given
    .filter(
      ({ role, key }) => !values.SANDBOX_KEYS?.some((known) => known.role === role && known.key === key),
    )
    .map(({ variable, role }) => ({
      variable,
      message: `belongs to no platform; set PLATFORM_BASE_URL, or list the key for the embedded sandbox in SANDBOX_KEYS (role ${role})`,
    }));
}

function retentionProblems(values: Values): Problem[] {
  const days = (ms: number) => ms / 86_400_000;
  const bodies = days(values.INTAKE_RETENTION ?? 30 * 86_400_000);
  const verdicts = days(values.INTAKE_VERDICT_RETENTION ?? 365 * 86_400_000);
  if (verdicts >= bodies) return [];
  const message = `is ${verdicts} days, less than the ${bodies} days of INTAKE_RETENTION; store verdicts as long as bodies, or longer`;
  return [{ variable: 'INTAKE_VERDICT_RETENTION', message }];
}

function callbackProblems(env: Env, values: Values, part: { receives: boolean }): Problem[] {
  if (env.CALLBACK_AUTH !== undefined && values.CALLBACK_AUTH === undefined) return [];
  const auth = values.CALLBACK_AUTH ?? 'standard-webhooks';
  const secrets = values.CALLBACK_SECRETS ?? [];
  const variable = 'CALLBACK_SECRETS';
  const message = callbackSecretsProblem(auth, secrets);
  if (message !== undefined) return [{ variable, message }];
  const receivesCallbacks =
    values.PLATFORM_BASE_URL !== undefined && values.PLATFORM_CHANNEL_API_KEY !== undefined;
  if (!part.receives || !receivesCallbacks || auth === 'none' || secrets.length > 0) return [];
  return [{ variable, message: `is needed to check the platform's callbacks (CALLBACK_AUTH is ${auth})` }];
}

function forwardProblems(env: Env, values: Values, part: { receives: boolean }): Problem[] {
  const { FORWARD_URL: url, FORWARD_SECRET: secret } = values;
  const problems: Problem[] = [];
  const addProblem = (variable: VariableName, message: string) => problems.push({ variable, message });
  if (env.FORWARD_URL !== undefined && env.FORWARD_SECRET === undefined)
    addProblem(
      'FORWARD_URL',
      'is set without FORWARD_SECRET; give the `whsec_` secret that the other deployment has among its CALLBACK_SECRETS',
    );
  if (env.FORWARD_SECRET !== undefined && env.FORWARD_URL === undefined)
    addProblem(
      'FORWARD_SECRET',
      'is set without FORWARD_URL; give the base address of the other deployment, or unset it',
    );
  if (secret !== undefined && values.CALLBACK_SECRETS?.includes(secret))
    addProblem(
      'FORWARD_SECRET',
      'is one of CALLBACK_SECRETS: who receives what is forwarded could sign as the platform; give it a secret of its own',
    );
  if (url === undefined || !part.receives) return problems;
  if (isOwnAddress(url, values))
    addProblem('FORWARD_URL', 'is the address of this deployment; give that of the other one');
  if (!mayReceiveCallbacks(values))
    addProblem(
      'FORWARD_URL',
      'is set where no callback comes; set PLATFORM_CHANNEL_API_KEY, or CALLBACK_SECRETS where another deployment forwards to this one',
    );
  return problems;
}

const oidcVariables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const;

function oidcProblems(env: Env, { OIDC_ISSUER: issuer, OIDC_ROLES: roles }: Values): Problem[] {
  if (!oidcVariables.some((variable) => env[variable] !== undefined)) return [];
  const missing = [...oidcVariables, 'CONSOLE_URL' as const]
    .filter((variable) => env[variable] === undefined)
    .map((variable) => ({ variable, message: `is needed for logins by OIDC (${oidcVariables.join(', ')})` }));
  if (roles?.length === 0)
    missing.push({ variable: 'OIDC_ROLES', message: 'is empty; give `role:group` entries' });
  if (issuer?.startsWith('http:') && !isLoopback(issuer)) {
    const message = 'is plain http: logins would cross the network in the clear; give an https address';
    return [...missing, { variable: 'OIDC_ISSUER', message }];
  }
  return missing;
}

function isOwnAddress(
  url: string,
  { HANDOVER_HOST: host = '127.0.0.1', HANDOVER_PORT = 8080, CALLBACK_PORT }: Values,
): boolean {
  const { hostname, port, protocol } = new URL(url);
  const given = Number(port || (protocol === 'https:' ? 443 : 80));
  return leadsTo(hostname, host) && [HANDOVER_PORT, CALLBACK_PORT].includes(given);
}

/** Without any key the process acts as the embedded sandbox's channel. */
function mayReceiveCallbacks(values: Values): boolean {
  const channel =
    values.PLATFORM_CHANNEL_API_KEY !== undefined || values.PLATFORM_SUPPLIER_API_KEY === undefined;
  return channel || (values.CALLBACK_SECRETS?.length ?? 0) > 0 || values.CALLBACK_AUTH === 'none';
}

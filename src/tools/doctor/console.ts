import type { OidcSettings } from '../../api/http/access.js';
import { IdentityProvider } from '../../api/session/oidc/provider.js';
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

/** Whether the identity provider of OIDC_ISSUER answers as one. */
export async function checkIdentityProvider(settings: OidcSettings): Promise<Finding> {
  const check = createCheck('console', 'OIDC_ISSUER');
  const provider = new IdentityProvider(settings);
  try {
    await provider.discover();
    return check.ok(`answers; it has to know ${provider.redirectUri} as the client's redirect URI`);
  } catch {
    return check.fail(`no metadata of an OpenID provider at ${settings.issuer}`, {
      todo: "give the issuer as the provider's documentation states it, and let Handover reach it",
    });
  }
}

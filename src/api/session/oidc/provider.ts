import * as client from 'openid-client';
import type { OidcSettings } from '../../http/access.js';
import type { PersonLogin } from '../../http/session-cookie.js';
import { personName } from './person-name.js';

const withinSeconds = 10;
export const callbackPath = '/api/session/oidc/callback';

/** What a browser's return is checked against (OpenID Connect Core: state, nonce; RFC 7636: verifier). */
export interface Check {
  state: string;
  nonce: string;
  verifier: string;
}

/** Logs persons in with an identity provider: OpenID Connect, authorization code with PKCE. */
export class IdentityProvider {
  readonly redirectUri: string;
  private discovered: Promise<client.Configuration> | undefined;

  constructor(readonly settings: OidcSettings) {
    this.redirectUri = settings.consoleUrl + callbackPath;
  }

  /** Reads the provider's metadata, once. @throws where it does not answer; the next call tries again */
  discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    this.discovered ??= client
      .discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(clientSecret), {
        timeout: withinSeconds,
        // the configuration allows it on this machine alone
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      })
      .catch((error) => {
        this.discovered = undefined;
        throw error;
      });
    return this.discovered;
  }

  /**
   * Where a browser logs in, and what its return is checked against.
   * @param asksAgain the provider asks who it is, also where it still knows the browser's last user
   */
  async begin(asksAgain: boolean): Promise<{ address: URL; check: Check }> {
    const provider = await this.discover();
    const check = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const address = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.redirectUri,
      scope: scopesOf(provider),
      state: check.state,
      nonce: check.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(check.verifier),
      code_challenge_method: 'S256',
      ...(asksAgain && { prompt: 'login' }),
    });
    return { address, check };
  }

  /**
   * Who returned.
   * @param url path and query of the browser's return
   * @throws where the return does not fit the check, or the provider refuses the code
   */
  async finish(url: string, { state, nonce, verifier }: Check): Promise<PersonLogin> {
    const provider = await this.discover();
    const tokens = await client.authorizationCodeGrant(provider, new URL(url, this.settings.consoleUrl), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider sent no ID token');
    const { userinfo_endpoint: more } = provider.serverMetadata();
    const userInfo =
      more === undefined ? {} : await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return this.personOf({ ...userInfo, ...claims });
  }

  private personOf(claims: Record<string, unknown>): PersonLogin {
    const { issuer, roles } = this.settings;
    const memberOf = [claims.groups, claims.roles].flat();
    const groups = roles.map(({ group }) => group).filter((group) => memberOf.includes(group));
    return { issuer, name: personName(claims), groups: [...new Set(groups)] };
  }
}

/** Whether the provider could not be reached, was silent or answered 5xx: then the login itself is not at fault. */
export function isAway(error: unknown): boolean {
  const { cause, code, status } = (error ?? {}) as { cause?: unknown; code?: unknown; status?: unknown };
  const answered = cause instanceof Response ? cause.status : Number(status);
  if (answered >= 500) return true;
  // what `fetch` throws has the error of the connection as its cause
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && cause !== undefined);
}

/** Some providers give groups only where the scope is requested, others refuse a scope that they do not know. */
function scopesOf(provider: client.Configuration): string {
  const { scopes_supported: supported = [] } = provider.serverMetadata();
  return ['openid', ...['profile', 'email', 'groups'].filter((scope) => supported.includes(scope))].join(' ');
}

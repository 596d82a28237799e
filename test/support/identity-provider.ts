import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

const client = { client_id: 'handover', client_secret: 'a-client-secret-of-the-tests' };

/**
 * A real OpenID Connect provider on loopback. It accepts every name, with any password.
 * @param groups of each person, by name
 * @param redirectUri where it sends browsers back to
 */
export async function startIdentityProvider(groups: Record<string, string[]>, redirectUri: string) {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // it warns that its defaults are for tests
  const quiet = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' }],
    scopes: ['openid', 'profile', 'groups'],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], groups: ['groups'] },
    findAccount: (_: unknown, name: string) => ({
      accountId: name,
      claims: () => ({ sub: `id-of-${name}`, preferred_username: name, groups: groups[name] ?? [] }),
    }),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the tests'] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
  });
  quiet.mockRestore();
  server.on('request', provider.callback());
  return {
    settings: { issuer, clientId: client.client_id, clientSecret: client.client_secret },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/**
 * A browser at the provider's pages: logs in as `name` and consents.
 * @param address where the console sent it
 * @returns where the provider sends it back to
 */
export async function logInAs(name: string, address: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(address);
  let form: Record<string, string> | undefined;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(key, value);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    form = undefined;
    if (location !== null) {
      const next = new URL(location, at);
      if (next.origin !== new URL(address).origin) return next;
      at = next;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (prompt === undefined) throw new Error(`the provider answered ${response.status}: ${text}`);
    form = { prompt, login: name, password: 'any' };
  }
  throw new Error('the provider never sent the browser back');
}

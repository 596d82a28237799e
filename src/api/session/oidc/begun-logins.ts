import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Sealer } from '../../../store/sealing/sealer.js';

const place = 'session/oidc';
/** For a person at the provider's page. */
export const loginWithinSeconds = 10 * 60;
const mostReturns = 10_000;

const begun = z.object({
  check: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  to: z.string(),
  until: z.int(),
});
/** What a return is checked against, and the path of the console to show then. */
type BegunLogin = Omit<z.output<typeof begun>, 'until'>;

/** Logins that left for the identity provider. The browser has each, sealed, until it returns. */
export class BegunLogins {
  /** By their states, for as long as they could return again. */
  private readonly returned = new LRUCache<string, true>({
    max: mostReturns,
    ttl: loginWithinSeconds * 1000,
  });

  constructor(
    private readonly sealer: Sealer,
    private readonly clock: () => number,
  ) {}

  seal(login: BegunLogin): string {
    const text = JSON.stringify({ ...login, until: this.clock() + loginWithinSeconds * 1000 });
    return this.sealer.seal(Buffer.from(text), place).toString('base64url');
  }

  /** The login of a return, once: who has it cannot make us ask the provider again. @throws Error where it is none, too late or used */
  acceptOnce(sealed: string | undefined): BegunLogin {
    const text = this.sealer.open(Buffer.from(sealed ?? '', 'base64url'), place).toString();
    const { until, ...login } = begun.parse(JSON.parse(text));
    if (until <= this.clock()) throw new Error('the login took too long');
    const { state } = login.check;
    if (this.returned.has(state)) throw new Error('the return was used before');
    this.returned.set(state, true);
    return login;
  }
}

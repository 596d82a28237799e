import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/temporal/server/ports.js';
import { hasBrowser, openBrowser, withoutBrowser } from '../support/browser.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { Deployment, type Ready } from '../support/process.js';

describe.skipIf(!hasBrowser)(`the link that npm start prints${withoutBrowser}`, () => {
  let deployment: Deployment;
  let at: Ready;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  beforeAll(async () => {
    [deployment, browser] = await Promise.all([Deployment.createWithDatabases(), openBrowser()]);
    const port = await freePort();
    const consoleUrl = `http://127.0.0.1:${port}`;
    const groups = { yuna: ['dispatch'], guest: [] };
    provider = await startIdentityProvider(groups, `${consoleUrl}/api/session/oidc/callback`);
    const { issuer, clientId, clientSecret } = provider.settings;
    const run = deployment.run(['up', '--no-demo'], {
      HANDOVER_PORT: String(port),
      CONSOLE_URL: consoleUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ROLES: 'staff:dispatch',
    });
    at = await run.ready();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await deployment?.remove();
    await provider?.close();
  });

  /** A user who opens the link: the page, what it reported, and the addresses that it requested. */
  async function open(link: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const reported: string[] = [];
    const requested: string[] = [];
    page.on('console', (message) => reported.push(message.text()));
    page.on('pageerror', (error) => reported.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(link);
    await page.waitForResponse((response) => /\/api\/(session|me)$/.test(response.url()) && response.ok());
    return { page, context, reported, requested };
  }

  const roleIn = (page: Page) =>
    page.evaluate(async () => ((await (await fetch('/api/me')).json()) as { role: string }).role);

  it('logs in as the manager; the token leaves the address, and no script can read the cookie', async () => {
    expect(at.console).toBe(`${at.api}/#login=${at.tokens.manager}`);
    const { page, context, requested } = await open(at.console);
    expect(page.url()).toBe(`${at.api}/`);
    expect(await roleIn(page)).toBe('manager');
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(requested.join('\n')).not.toContain(at.tokens.manager);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'handover_session', httpOnly: true, sameSite: 'Strict', path: '/' });
  });

  it('the page obeys its content security policy, and stays logged in when it is loaded again', async () => {
    const { page, reported } = await open(at.console);
    await page.reload();
    expect(await roleIn(page)).toBe('manager');
    expect(reported.filter((text) => /content security policy|refused to/i.test(text))).toEqual([]);
  });

  it('a page of another address cannot use the login', async () => {
    const { context } = await open(at.console);
    const stranger = await context.newPage();
    await stranger.goto(`${at.sandbox}/docs`);
    const answer = await stranger.evaluate(async (api) => {
      const statusOf = (method: string, path: string) =>
        fetch(api + path, { method, credentials: 'include' }).then(
          ({ status }) => status,
          () => 'blocked',
        );
      return Promise.all([statusOf('GET', '/api/me'), statusOf('DELETE', '/api/session')]);
    }, at.api);
    expect(answer).toEqual(['blocked', 'blocked']);
  });

  /** From the console's first page over the provider's pages and back. */
  async function logInAs(name: string) {
    const page = await (await browser.newContext({ locale: 'en' })).newPage();
    await page.goto(`${at.api}/r/8421`);
    await page.getByRole('link', { name: 'Log in with your company account' }).click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]', { hasText: 'Continue' }).click();
    await page.waitForURL(`${at.api}/**`);
    return page;
  }

  it('beside an identity provider: a person logs in with an account, and returns to the page that was open', async () => {
    const page = await logInAs('yuna');
    await page.waitForURL(`${at.api}/r/8421`);
    const me = await page.evaluate(async () => (await fetch('/api/me')).json());
    expect(me).toMatchObject({ name: 'yuna', role: 'staff' });
  });

  it('beside an identity provider: a person without a role learns why, on the page that was open, and the token field is one click away', async () => {
    const page = await logInAs('guest');
    await page.getByText('Your account has no role here').waitFor();
    expect(page.url()).toBe(`${at.api}/r/8421`);
    await page.getByText('Log in with a token').click();
    await page.locator('input[name=token]').fill(at.tokens.viewer);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('link', { name: 'Now' }).waitFor();
    expect(await roleIn(page)).toBe('viewer');
  });
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, withoutBrowser } from '../support/browser.js';
import { Deployment, type Ready } from '../support/process.js';

describe.skipIf(!hasBrowser)(`the link that npm start prints${withoutBrowser}`, () => {
  let deployment: Deployment;
  let at: Ready;
  let browser: Browser;
  beforeAll(async () => {
    [deployment, browser] = await Promise.all([Deployment.createWithDatabases(), openBrowser()]);
    at = await deployment.run(['up', '--no-demo']).ready();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await deployment?.remove();
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
});

import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import { eventually } from './eventually.js';
import { Deployment, type Ready } from './process.js';

interface OpenOptions extends BrowserContextOptions {
  role?: keyof Ready['tokens'];
  /** Called before the page loads. */
  prepare?(page: Page): Promise<void>;
}

/** The running product with the sandbox, a browser, and what a test does beside it. */
export class ConsoleWorld {
  private constructor(
    readonly deployment: Deployment,
    readonly at: Ready,
    readonly browser: Browser,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<ConsoleWorld> {
    const deployment = await Deployment.createWithDatabases();
    try {
      return await ConsoleWorld.of(deployment, await deployment.run(['up', '--no-demo'], env).ready());
    } catch (error) {
      await deployment.remove();
      throw error;
    }
  }

  /** Of a product that runs. */
  static async of(deployment: Deployment, at: Ready): Promise<ConsoleWorld> {
    return new ConsoleWorld(deployment, at, await openBrowser());
  }

  async stop(): Promise<void> {
    await this.browser.close().finally(() => this.deployment.remove());
  }

  /** A page that logs in by its link. It fails the test that reads `problems` where the page reported an error. */
  async open(
    path: string,
    { role = 'manager', prepare, ...context }: OpenOptions = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await (await this.browser.newContext({ locale: 'en-GB', ...context })).newPage();
    // below the limit of a test, so that the failure names the step
    page.setDefaultTimeout(60_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      // a page that is opened by its link first reads whether the browser has a login
      const isLogin = /status of 401/.test(message.text()) && message.location().url.endsWith('/api/me');
      if (message.type() === 'error' && !isLogin && !/status of (404|409)/.test(message.text()))
        problems.push(`${message.text()} ${message.location().url}`);
    });
    await prepare?.(page);
    await page.goto(`${this.at.api}${path}#login=${this.at.tokens[role]}`);
    return { page, problems };
  }

  /** A reservation at 5, as the API shows it, of the first product with a free car. @returns its id and its plate */
  async book(startsInMs = 2 * 3_600_000, lastsMs = 2 * 3_600_000): Promise<{ id: number; plate: string }> {
    const { items } = (await this.ask('GET', '/api/products')) as { items: { productId: number }[] };
    const start = Date.now() + startsInMs;
    let id: number | undefined;
    for (const { productId } of items) {
      const answer = await this.ask('POST', '/api/reservations', bookingOf(productId, start, lastsMs));
      id = answer.reservationId;
      if (id !== undefined) break;
    }
    if (id === undefined) throw new Error('no product could be booked');
    const view = await eventually(`reservation ${id} is announced`, async () => {
      const seen = await this.ask('GET', `/api/reservations/${id}`);
      return seen.status?.grade === 'observed' && (seen as { car: { number: string } });
    });
    return { id, plate: view.car.number };
  }

  /** The customer's part, on the platform. */
  async customer(id: number, move: 'start-use' | 'return' | 'cancel'): Promise<void> {
    const response = await fetch(`${this.at.sandbox}/sandbox/reservations/${id}/${move}`, { method: 'POST' });
    if (!response.ok) throw new Error(`${move}: ${await response.text()}`);
  }

  /** Calls and callbacks of the platform that go wrong from now on. */
  async faults(plan: { calls?: object[]; callbacks?: object[] }): Promise<void> {
    const response = await fetch(`${this.at.sandbox}/sandbox/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(plan),
    });
    if (!response.ok) throw new Error(`faults: ${await response.text()}`);
  }

  /** A request of the API with the manager's token. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  async ask(method: string, path: string, json?: object): Promise<any> {
    const response = await fetch(this.at.api + path, {
      method,
      headers: {
        authorization: `Bearer ${this.at.tokens.manager}`,
        'idempotency-key': randomUUID(),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return response.json();
  }
}

/** The body of a booking; its driver's name is markup. */
export function bookingOf(productId: number, start: number, lastsMs = 3_600_000): object {
  return {
    productId,
    startAt: new Date(start).toISOString(),
    endAt: new Date(start + lastsMs).toISOString(),
    pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
    driver: {
      name: '<img src=x onerror=alert(1)>',
      birth: '19900101',
      phone: '01000000000',
      licenseNumber: '00-00-000000-00',
      address: 'Seoul',
    },
  };
}

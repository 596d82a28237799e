import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { access } from '../target.js';

const executablePath = '/usr/bin/chromium';

/** Runs before the console's own script: finds the moment at which a condition on the page is painted. */
const watch = `
  window.painted = (condition) => new Promise((resolve) => {
    const check = () => {
      if (!condition()) return false;
      observer.disconnect();
      // the frame after the one that has the change
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
      return true;
    };
    const observer = new MutationObserver(check);
    if (!check()) observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  window.watchStatus = (id) => {
    const before = statusOf(id);
    window.changed = painted(() => statusOf(id) !== before);
  };
  // Event Timing: the duration of a click ends when the frame that follows its handlers is presented
  window.watchStep = (id) => {
    const button = document.querySelector('li.board-row:has(a[href="/r/' + id + '"]) .button.step');
    window.sent = new Promise((resolve, reject) => {
      button.addEventListener('click', ({ timeStamp }) => {
        new PerformanceObserver((list, observer) => {
          const click = list.getEntriesByName('click').find(({ startTime }) => startTime === timeStamp);
          if (click === undefined) return;
          observer.disconnect();
          if (busyAt <= click.processingEnd) resolve(click.duration);
          else reject(new Error('the frame after the click does not show that the step is being sent'));
        }).observe({ type: 'event', durationThreshold: 16 });
        // it has no entry of a click that took less
        setTimeout(() => {
          if (busyAt < timeStamp + 16) resolve(16);
          else reject(new Error('the browser has no timing of the click'));
        }, 5_000);
      }, { capture: true, once: true });
    });
    let busyAt = Infinity;
    new MutationObserver((_, observer) => {
      if (button.getAttribute('aria-busy') !== 'true') return;
      busyAt = performance.now();
      observer.disconnect();
    }).observe(button, { attributes: true });
  };
  window.statusOf = (id) => document.querySelector('a[href="/r/' + id + '"] + .mark')?.textContent;
  window.board = window.painted(() => document.querySelector('.board-row .due') !== null);
`;

/** A browser with the console's Now screen. */
export class NowPage {
  private constructor(
    private readonly browser: Browser,
    private readonly url: string,
    private readonly page: Page,
    private readonly cookies: Cookies,
  ) {}

  /** @throws Error where there is no Chromium */
  static async open(url: string): Promise<NowPage> {
    // a container's root has no user namespaces
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const first = await pageOf(browser, []);
    await first.goto(`${url}/#login=${access.token}`);
    await first.evaluate('window.board');
    const cookies = await first.context().cookies();
    await first.context().close();
    const page = await pageOf(browser, cookies);
    await page.goto(url);
    await page.evaluate('window.board');
    return new NowPage(browser, url, page, cookies);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  /** Milliseconds from the navigation to the first painted row, without any cache. */
  async coldLoads(count: number): Promise<number[]> {
    const durations: number[] = [];
    for (let index = 0; index < count; index++) {
      const page = await pageOf(this.browser, this.cookies);
      await page.goto(this.url, { waitUntil: 'commit' });
      durations.push(Number(await page.evaluate('window.board.then((at) => at - performance.timeOrigin)')));
      await page.context().close();
      await sleep(200);
    }
    return durations;
  }

  /** The names of the script and style files that the page has loaded. */
  async loaded(): Promise<string[]> {
    const all = await this.page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))`,
    );
    return all as string[];
  }

  async rows(): Promise<number> {
    return Number(await this.page.evaluate(`document.querySelectorAll('.board-row').length`));
  }

  async waitForRow(id: number): Promise<void> {
    await this.page.evaluate(`window.painted(() => window.statusOf(${id}) !== undefined)`);
  }

  /** Milliseconds from the moment that \`act\` returns to the moment at which the row's status has changed. */
  async untilStatusChanges(id: number, act: () => Promise<number>): Promise<number> {
    await this.page.evaluate(`watchStatus(${id})`);
    const from = await act();
    return Number(await this.page.evaluate('window.changed')) - from;
  }

  /** Milliseconds, in steps of eight, from the click on a row's next step to the frame in which its button shows that it is being sent. */
  async untilSending(id: number): Promise<number> {
    await this.page.evaluate(`watchStep(${id})`);
    await this.page.locator(`li.board-row:has(a[href="/r/${id}"]) .button.step`).click();
    return Number(await this.page.evaluate('window.sent'));
  }
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

async function pageOf(browser: Browser, cookies: Cookies): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.addInitScript(watch);
  return page;
}

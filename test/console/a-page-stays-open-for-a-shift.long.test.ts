import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Board, BoardRow } from '../../console/api/types.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { BusyBoard } from '../support/busy-board.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';

const second = 1_000;
const hour = 3_600 * second;
/** Less than a user may pause before rows are sorted by themselves. */
const stepMs = 40 * second;
const stepsEach = hour / stepMs;
const hours = 12;

describe.skipIf(!hasBrowser)(`a page that stays open for a shift${withoutBrowser}`, () => {
  let world: ConsoleWorld;
  let reservation: number;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    reservation = (await world.book()).id;
  }, 240_000);
  afterAll(() => world?.stop());

  it('needs no more memory after twelve hours of changes than after two', async () => {
    const template = (await world.ask('GET', '/api/board')) as Board;
    const stays = Object.values(template.lanes).flatMap(({ items }): BoardRow[] => items);
    let time = Date.now();
    const board = new BusyBoard(template, stays, () => time);
    const { page, problems } = await world.open('/', {
      serviceWorkers: 'block',
      prepare: async (opened) => {
        await opened.clock.install({ time });
        await board.serve(opened);
      },
    });
    const counters = await page.context().newCDPSession(page);
    await counters.send('Performance.enable');
    await page.locator('.board-row').first().waitFor();
    await eventually('the page streams', () => board.isStreaming);
    const measured: Memory[] = [];
    const mostRows: number[] = [];
    for (let past = 1; past <= hours; past++) {
      for (let step = 0; step < stepsEach; step++) {
        const { reads } = board;
        time += stepMs;
        board.step();
        await page.clock.fastForward(stepMs);
        // every second hour the user never pauses, so that rows are not sorted by themselves
        if (past % 2 === 0) await page.mouse.move(step, 300);
        await eventually('the board is read', () => board.reads > reads, 30_000);
        if (step % 30 === 29) await visitOthers(page, reservation);
      }
      mostRows.push(await page.locator('.board-row').count());
      measured.push(await memoryOf(counters));
    }
    board.close();
    expect(Math.max(...mostRows)).toBeLessThanOrEqual(200);
    expect(problems).toEqual([]);
    const [, warm] = measured;
    const last = measured.at(-1);
    if (warm === undefined || last === undefined) throw new Error('nothing was measured');
    expect(last.heapMb).toBeLessThan(warm.heapMb * 1.1 + 1);
    expect(last.nodes).toBeLessThan(warm.nodes * 1.1);
    expect(last.listeners).toBeLessThan(warm.listeners * 1.1);
  }, 900_000);
});

async function visitOthers(page: Page, reservation: number): Promise<void> {
  for (const path of ['/cars', '/in', '/shift']) {
    await page.locator(`nav a[href="${path}"]`).first().click();
    await page.waitForURL(`**${path}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
  }
  await page.locator('nav a[href="/"]').first().click();
  await page.locator(`a[href="/r/${reservation}"]`).first().click();
  await page.locator('.rung').first().waitFor();
  await page.goBack();
  await page.locator('.board-row').first().waitFor();
}

interface Memory {
  heapMb: number;
  nodes: number;
  listeners: number;
}

/** After a garbage collection. */
async function memoryOf(counters: CDPSession): Promise<Memory> {
  await counters.send('HeapProfiler.collectGarbage');
  const { metrics } = await counters.send('Performance.getMetrics');
  const read = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  return {
    heapMb: Math.round(read('JSHeapUsedSize') / 1024 / 102.4) / 10,
    nodes: read('Nodes'),
    listeners: read('JSEventListeners'),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { DemoHttp, type DemoTargets, type Reservation } from './http.js';
import { nextMove, type Scenario, scenarios } from './scenarios.js';

/** How one story stands: the statuses seen so far, in order. */
export interface Progress {
  reservationId: number;
  scenario: Scenario;
  statuses: number[];
  attention: string[];
  done: boolean;
}

export interface DemoOptions extends DemoTargets {
  signal: AbortSignal;
  /** Called whenever a story moved. */
  onProgress(progress: Progress): void;
  /** Pause between two moves of one story, so that a person can watch. */
  paceMs?: number;
}

const memoOf = (scenario: Scenario) => `demo: ${scenario}`;
const lookEveryMs = 250;

/** Plays the stories to their ends; those left open by an earlier run continue first, instead of new ones. */
export async function runDemo(options: DemoOptions): Promise<Progress[]> {
  const http = new DemoHttp(options);
  const stories = await openStories(http);
  if (stories.length === 0) stories.push(...(await bookStories(http)));
  return Promise.all(stories.map((story) => play(http, story, options)));
}

async function openStories(http: DemoHttp): Promise<Progress[]> {
  const stories: Progress[] = [];
  for (const id of await http.openReservations()) {
    const seen = await http.reservation(id);
    if (seen === undefined || isTerminal(seen)) continue;
    for (const scenario of Object.keys(scenarios) as Scenario[]) {
      if (seen.pickup.memo === memoOf(scenario)) stories.push(newStory(id, scenario));
    }
  }
  return stories.sort((a, b) => a.reservationId - b.reservationId);
}

async function bookStories(http: DemoHttp): Promise<Progress[]> {
  const products = await http.products();
  const stories: Progress[] = [];
  for (const [index, scenario] of (Object.keys(scenarios) as Scenario[]).entries()) {
    const productId = products[index % products.length];
    if (productId === undefined) throw new Error('the platform has no approved product to book');
    const start = new Date(Date.now() + 1_000);
    const end = new Date(start.getTime() + scenarios[scenario].rentalSeconds * 1_000);
    stories.push(newStory(await http.book(productId, memoOf(scenario), start, end), scenario));
  }
  return stories;
}

function newStory(reservationId: number, scenario: Scenario): Progress {
  return { reservationId, scenario, statuses: [], attention: [], done: false };
}

async function play(http: DemoHttp, story: Progress, options: DemoOptions): Promise<Progress> {
  while (!options.signal.aborted && !story.done) {
    const seen = await http.reservation(story.reservationId);
    if (seen === undefined) {
      await pause(lookEveryMs, options.signal);
      continue;
    }
    if (follow(story, seen)) options.onProgress(story);
    const move = nextMove(story.scenario, seen);
    if (move.who === 'staff') await http.press(story.reservationId, move.action);
    if (move.who === 'customer') await http.customer(story.reservationId, move.action);
    await pause(move.who === 'nobody' ? lookEveryMs : (options.paceMs ?? 400), options.signal);
  }
  return story;
}

/** Takes over what changed; true when something did. */
function follow(story: Progress, seen: Reservation): boolean {
  const code = seen.status.code;
  const attention = seen.attention.map((item) => item.kind);
  const moved = code !== null && story.statuses.at(-1) !== code;
  if (moved) story.statuses.push(code);
  const changed = moved || attention.join() !== story.attention.join();
  story.attention = attention;
  story.done = isTerminal(seen);
  return changed;
}

function isTerminal(seen: Reservation): boolean {
  return seen.status.code !== null && [35, 40, 45, 50].includes(seen.status.code);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

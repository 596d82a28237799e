import { setTimeout as sleep } from 'node:timers/promises';
import { DemoHttp, type DemoTargets, isTransient, type Reservation } from './http.js';
import { isEnded, nextMove, type Scenario, scenarios } from './scenarios.js';

/** Progress of one story: the statuses seen so far, in order. */
export interface Progress {
  reservationId: number;
  scenario: Scenario;
  statuses: number[];
  /** The last one's name, as the status API returns it. */
  statusName: string;
  attention: string[];
  done: boolean;
}

export interface DemoOptions extends DemoTargets {
  /** Called whenever a story moved. */
  onProgress(progress: Progress): void;
  /** Pause between two moves of one story, so that a person can watch; read before each pause. */
  paceMs?: number | undefined;
}

const memoOf = (scenario: Scenario) => `demo: ${scenario}`;
const names = Object.keys(scenarios) as Scenario[];
const rentalMs = 120 * 60_000;
/** Slow enough that a person who opens the console sees the stories happen. */
const usualPaceMs = 6_000;
const pollEveryMs = 250;
/** Times in a row, about a minute, that a story polls after a refused move, whose callback is still to come. */
const mostRefusals = 240;

/** Plays the stories to their ends; those left open by an earlier run continue first, instead of new ones. */
export async function runDemo(options: DemoOptions): Promise<Progress[]> {
  const http = new DemoHttp(options);
  const left = await readOpenStories(http);
  const stories = left.length > 0 ? left : await bookStories(http);
  return Promise.all(stories.map((story) => play(http, story, options)));
}

async function readOpenStories(http: DemoHttp): Promise<Progress[]> {
  return (await http.listOpen()).flatMap(({ reservationId, memo }) => {
    const scenario = names.find((name) => memoOf(name) === memo);
    return scenario === undefined ? [] : [newStory(reservationId, scenario)];
  });
}

async function bookStories(http: DemoHttp): Promise<Progress[]> {
  const products = await http.listProducts();
  const stories: Progress[] = [];
  for (const [index, scenario] of names.entries()) {
    const productId = products[index % products.length];
    if (productId === undefined) throw new Error('the platform has no approved product to book');
    const start = Date.now() + scenarios[scenario].startsInMs;
    const id = await http.book(productId, memoOf(scenario), start, start + rentalMs);
    stories.push(newStory(id, scenario));
  }
  return stories;
}

function newStory(reservationId: number, scenario: Scenario): Progress {
  return { reservationId, scenario, statuses: [], statusName: 'booked', attention: [], done: false };
}

async function play(http: DemoHttp, story: Progress, options: DemoOptions): Promise<Progress> {
  const { signal } = options;
  let refusals = 0;
  while (!signal.aborted && !story.done) {
    let wait = pollEveryMs;
    try {
      if ((await step(http, story, options)) === 'moved') wait = options.paceMs ?? usualPaceMs;
      refusals = 0;
    } catch (error) {
      if (!isTransient(error) || ++refusals > mostRefusals) throw error;
    }
    if (!story.done) await pause(wait, signal);
  }
  return story;
}

/** Reads the reservation, and makes the story's next move if there is one now. */
async function step(http: DemoHttp, story: Progress, options: DemoOptions): Promise<'moved' | 'waiting'> {
  const { reservationId, scenario } = story;
  const seen = await http.readReservation(reservationId);
  if (seen === undefined) return 'waiting';
  if (applyChanges(story, seen)) options.onProgress(story);
  const move = nextMove(scenario, seen, Date.now());
  if (move.who === 'none') return 'waiting';
  await http.makeMove(reservationId, move);
  return 'moved';
}

/** Copies what changed into the story; true when something did. */
function applyChanges(story: Progress, seen: Reservation): boolean {
  const code = seen.status.code;
  const attention = seen.attention.map((item) => item.kind);
  const moved = code !== null && story.statuses.at(-1) !== code;
  if (moved) story.statuses.push(code);
  story.statusName = seen.status.name;
  const changed = moved || attention.join() !== story.attention.join();
  story.attention = attention;
  story.done = isEnded(seen);
  return changed;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

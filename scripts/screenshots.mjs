// Takes the pictures of the README and of docs/console.md, each below 150 KB: start the demo with `npm start`, then run
// node scripts/screenshots.mjs <link of the console that npm start prints>
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { printLine, root } from './lib/run.mjs';

const [link] = process.argv.slice(2);
if (link === undefined) {
  printLine('State the link of the console that `npm start` prints.');
  process.exit(1);
}
const { origin, hash } = new URL(link);
const mostBytes = 150 * 1024;
const desktop = { viewport: { width: 1280, height: 640 } };
const phone = { viewport: { width: 390, height: 720 }, isMobile: true, hasTouch: true };
const pictures = [
  { name: 'console-board', path: '/', ready: '.board-row', ...desktop },
  { name: 'console-reservation', path: await furthestReservation(), ready: '.rung', ...desktop },
  { name: 'console-phone', path: '/go', ready: 'main .button', ...phone },
  { name: 'console-cars', path: '/cars', ready: 'main .plate', ...desktop },
  { name: 'console-callbacks', path: await appliedCallback(), ready: 'main li', ...desktop },
  { name: 'console-shift', path: '/shift', ready: 'main li', ...desktop },
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const { name, path, ready, ...device } of pictures) {
  const page = await browser.newPage({ locale: 'en-GB', colorScheme: 'light', ...device });
  await page.goto(origin + path + hash);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {}); // the stream of changes has no end
  const picture = await page.screenshot();
  if (picture.length > mostBytes) throw new Error(`${name} has ${Math.round(picture.length / 1024)} KB`);
  await writeFile(join(root, 'docs', 'images', `${name}.png`), picture);
  await page.close();
}
await browser.close();

/** Under way: one that has ended has no next step to show. */
async function furthestReservation() {
  const { items } = await read('/api/reservations?limit=100');
  const [furthest] = items
    .filter(({ status }) => status.code !== null && status.code < 35)
    .sort((a, b) => b.status.code - a.status.code);
  if (furthest === undefined) throw new Error('the demo has no reservation under way');
  return `/r/${furthest.reservationId}`;
}

async function appliedCallback() {
  const { items } = await read('/api/inbox?verdict=applied&limit=1');
  return items.length === 0 ? '/in' : `/in?id=${items[0].id}`;
}

async function read(path) {
  const token = new URLSearchParams(hash.slice(1)).get('login');
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return answer.json();
}

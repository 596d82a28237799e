// Takes the README's pictures: node scripts/screenshots.mjs <link of the console that npm start prints>
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { printLine, root } from './lib/run.mjs';

const [link] = process.argv.slice(2);
if (link === undefined) {
  printLine('State the link of the console that `npm start` prints.');
  process.exit(1);
}
const pictures = [
  { name: 'console-board', path: '/', viewport: { width: 1280, height: 720 } },
  { name: 'console-phone', path: '/go', viewport: { width: 390, height: 720 }, isMobile: true },
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const { name, path, ...device } of pictures) {
  const page = await browser.newPage({ locale: 'en-GB', colorScheme: 'light', ...device });
  const { hash } = new URL(link);
  await page.goto(new URL(path + hash, link).href);
  await page.locator('main').getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {}); // the stream of changes has no end
  await page.screenshot({ path: join(root, 'docs', 'images', `${name}.png`) });
}
await browser.close();

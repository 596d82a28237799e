import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong on a page: rule and elements. The page's policy refuses scripts, so it is evaluated from outside. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: string[] }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
}

/** Whether the page is not wider than the screen. */
export function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth');
}

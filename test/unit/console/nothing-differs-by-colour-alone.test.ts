import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gradeIcons, laneIcons, statusMarks } from '../../../console/design/meanings.js';
import { en } from '../../../console/texts/en.js';
import { ko } from '../../../console/texts/ko.js';

const symbols = readFileSync('console/design/icons.svg', 'utf8').matchAll(
  /id="icon-([\w-]+)".* d="([^"]+)"/g,
);
const paths = new Map([...symbols].map(([, name, path]) => [name, path]));

const marks = {
  status: Object.fromEntries(Object.entries(statusMarks).map(([code, { icon }]) => [code, icon])),
  grade: gradeIcons,
  lane: laneIcons,
};

/**
 * Each meaning has an icon and a word of its own, so that it is readable in greyscale. Contrast is measured by luminance, which
 * greyscale does not change: `every-screen-is-accessible` covers it.
 */
describe.each(Object.entries(marks))('%s', (kind, icons) => {
  it('has an icon of its own for each value', () => {
    const drawn = Object.values(icons).map((icon) => paths.get(icon));
    expect(drawn).not.toContain(undefined);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it.each(Object.entries({ en, ko }))('has a text of its own for each value in %s', (_, texts) => {
    const words = Object.keys(icons).map((value) => (texts as Record<string, string>)[`${kind}:${value}`]);
    expect(words).not.toContain(undefined);
    expect(new Set(words).size).toBe(words.length);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deeds } from '../../../support/random-stories.js';
import { origin, Story } from '../../../support/reservation-story.js';

/** Everything but texts for people, which may be rewritten. */
const withoutTexts = (name: string, value: unknown) =>
  ['text', 'messages', 'message', 'alert'].includes(name) ? undefined : value;
const shown = (value: unknown) => JSON.stringify(value, withoutTexts);

/**
 * Random stories, the same in each run, with all that they show: timeline, deadlines and view. A change that is not meant
 * to change behaviour leaves the record as it is; `npx vitest run recorded-stories -u` writes a new one.
 */
it.each(fc.sample(deeds, { seed: 13, numRuns: 120 }).map((story, index) => [index + 1, story] as const))(
  'story %i shows the same as when it was recorded',
  (_, story) => {
    const played = new Story();
    const record: string[] = [];
    for (const deed of story) {
      const before = played.entries.length;
      deed(played);
      const { nextDeadline } = played;
      const minutes = nextDeadline === null ? 'none' : Math.round((nextDeadline - origin) / 60_000);
      record.push(...played.entries.slice(before).map(shown), `next deadline: ${minutes}`);
    }
    const view = Object.entries(played.view).map(([name, value]) => `${name}: ${shown(value)}`);
    expect([...record, ...view].join('\n')).toMatchSnapshot();
  },
);

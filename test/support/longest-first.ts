import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { testFiles } from './lanes.js';

/** Begun last, one of these would run alone. In a clean clone Vitest knows the sizes of files, not how long they run. */
const longest = [
  'intake-survives-crashes',
  'up-plays-the-demo',
  'up-parts-form-a-cluster',
  'a-killed-worker-repeats-nothing',
  'scenarios-hold-their-rules',
  'golden-histories',
  'a-lost-booking-is-resolved-once',
];
const unknown = longest.filter((name) => !testFiles.some((file) => file.includes(`/${name}.`)));
if (unknown.length > 0)
  throw new Error(`test/support/longest-first.ts names test files that do not exist: ${unknown.join(', ')}`);

/** At the end many short files. */
const folders = ['integration', 'replay', 'workflow', 'unit'];

/**
 * The project `mocking`, then the folders one after the other, in each of them the files that run longest first. A file of
 * another project between two would end the worker that ran the first, and the next one would load everything again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'mocking') return -1_000;
      const place = longest.findIndex((name) => moduleId.includes(`/${name}.`));
      const folder = folders.findIndex((name) => moduleId.includes(`/test/${name}/`));
      return 100 * folder + (place < 0 ? longest.length : place);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

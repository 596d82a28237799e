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

/** One after the other, so that each worker process loads the modules of one project; at the end many short files. */
const projects = ['integration', 'workflow', 'unit'];

/** The projects one after the other, in each of them the files that run longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.includes(`/${name}.`));
      return 100 * projects.indexOf(project.name) + (place < 0 ? longest.length : place);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

import type { Progress } from './driver.js';
import { scenarios } from './scenarios.js';

/** One line per reservation: its statuses so far, the last one's name, and at the end what the story was. */
function progressLine(story: Progress): string {
  const path = story.statuses.join(' → ').padEnd(34);
  const mark = story.done ? '✓' : ' ';
  const attention = story.attention.length === 0 ? '' : `  ! ${story.attention.join(', ')}`;
  const ending = story.done ? `: ${scenarios[story.scenario].story}` : '';
  return `  ${mark} ${story.reservationId}  ${story.scenario.padEnd(10)} ${path} ${story.statusName}${ending}${attention}`;
}

/** Shows the stories: redrawn in place on a terminal, one line per change elsewhere. */
export class DemoScreen {
  private readonly stories = new Map<number, Progress>();
  private drawn = 0;

  constructor(private readonly out: NodeJS.WriteStream) {}

  show(story: Progress): void {
    if (!this.out.isTTY) {
      this.out.write(`${progressLine(story)}\n`);
      return;
    }
    this.stories.set(story.reservationId, story);
    if (this.drawn > 0) this.out.write(`\x1b[${this.drawn}A`);
    const ordered = [...this.stories.values()].sort((a, b) => a.reservationId - b.reservationId);
    // a line that wraps would shift all others
    const width = this.out.columns - 1;
    for (const each of ordered) this.out.write(`\x1b[2K${progressLine(each).slice(0, width)}\n`);
    this.drawn = ordered.length;
  }

  /** What the demo showed, in one sentence. */
  static summary(stories: Progress[]): string {
    const asPlanned = stories.filter((story) => story.statuses.at(-1) === scenarios[story.scenario].ends);
    return `  ${asPlanned.length} of ${stories.length} reservations ended as planned`;
  }
}

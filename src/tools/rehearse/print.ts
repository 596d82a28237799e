import { showMoment } from './format/times.js';
import type { Rehearsal, StoryEntry } from './play/run.js';

const marks: Record<string, string> = { seen: '✓', 'NOT seen': '✗' };

/** A rehearsal as text: the story, then every line with its moment, then the result. */
export function toText(rehearsal: Rehearsal): string {
  const { scenario, lines, passed, failures, anchors, tookMs } = rehearsal;
  const rows = lines.map((line) => ({ when: showMoment(line.at, anchors), line }));
  const wide = Math.max(...rows.map(({ when }) => when.length));
  let last = '';
  const body = rows.map(({ when, line }) => {
    const shown = when === last ? '' : when;
    last = when;
    return `  ${shown.padEnd(wide)}  ${toLine(line)}`;
  });
  const wrong = failures.flatMap(({ line, at, sights }) => [
    `  ${scenario.file}:${line}  at ${showMoment(at, anchors)}`,
    ...sights.map(({ what, expected, seen }) => `    ${what}: expected ${expected}, seen ${seen}`),
  ]);
  const seconds = (tookMs / 1000).toFixed(1);
  const end = passed
    ? `PASSED  ${scenario.title} (${seconds} s)`
    : `FAILED  ${scenario.title} (${seconds} s)\n${wrong.join('\n')}`;
  return [
    `${scenario.title}  [${scenario.rules.join(', ')}]`,
    `  ${scenario.story.trim()}`,
    '',
    ...body,
    '',
    end,
  ].join('\n');
}

function toLine({ who, text, rule }: StoryEntry): string {
  const mark = marks[who] ?? ' ';
  return `${mark} ${(who in marks ? 'seen' : who).padEnd(9)} ${rule === undefined ? '' : `${rule}  `}${text}`;
}

/** The same as JSON. */
export function asJson({ scenario, passed, lines, failures, anchors, tookMs }: Rehearsal): object {
  return {
    file: scenario.file,
    title: scenario.title,
    rules: scenario.rules,
    passed,
    tookMs: Math.round(tookMs),
    lines: lines.map(({ at, ...line }) => ({ at: showMoment(at, anchors), ...line })),
    failures: failures.map(({ line, at, sights }) => ({ line, at: showMoment(at, anchors), sights })),
  };
}

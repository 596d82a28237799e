import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { readScenario, ScenarioFileError } from '../../src/tools/rehearse/format/read.js';
import { readDuration, readMoment, showMoment } from '../../src/tools/rehearse/format/times.js';
import { settingFor } from '../../src/tools/rehearse/stage/setting.js';

const head = 'title: A\nstory: B.\nrules: [L43]\nrental: { starts: 3h, lasts: 1d }\n';
const problemsOf = (text: string): string[] => {
  try {
    readScenario(text, 'a.yaml');
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  throw new Error('the file was taken');
};

it('a scenario can change each duration of the lifecycle', async () => {
  const names = [
    'dispatchLead',
    'overdueGrace',
    'recallOverdue',
    'notAnnounced',
    'incomplete',
    'ambiguous',
    'settle',
  ];
  const durations = names.map((name, index) => `${name}: ${index + 31}m`);
  const file = `${head}policy: { ${durations.join(', ')} }\nsteps:\n  - customer: book\n`;
  const place = {
    dataDir: '.handover',
    keys: [],
    log: createLogger('silent'),
    alertUrl: 'http://127.0.0.1:1',
  };
  const { policy } = await settingFor(readScenario(file, 'a.yaml'), place);
  const given = names.map((name) => policy[`${name}Ms` as 'ambiguousMs'] / 60_000);
  expect(given).toEqual(names.map((_, index) => index + 31));
});

describe('a scenario file that cannot be read', () => {
  it('reports every problem at once, with its line, its column and a suggestion', () => {
    const problems = problemsOf(`titel: A
story: B.
rules: [43]
rental: { starts: 3, lasts: 1d }
polcy: { settle: 1d }
steps:
  - custumer: book
  - staff: [dispatch, dispatch/strt]
    see: { staus: 15, attention: { return-late: end+3 } }
  - see: { commands: { dispatch/start: { outcome: aplied } } }
`);
    const expected = [
      /^1:1 title is missing: expected a text/,
      /^1:1 "titel" .*did you mean "title"/,
      /^3:9 .*rule id/,
      /^4:\d+ 3 is no duration; write one such as 3h/,
      /^5:1 "polcy" .*did you mean "policy"/,
      /^7:5 "custumer" .*did you mean "customer"/,
      /^8:\d+ "dispatch\/strt" .*did you mean "dispatch\/start"/,
      /^9:\d+ "staus" .*did you mean "status"/,
      /^9:\d+ "end\+3" is no moment; write one such as/,
      /^10:\d+ "aplied" .*did you mean "applied"/,
    ];
    expect(problems).toHaveLength(expected.length);
    for (const pattern of expected) expect(problems).toContainEqual(expect.stringMatching(pattern));
    expect(problems.map((problem) => Number.parseInt(problem, 10))).toEqual(
      problems.map((problem) => Number.parseInt(problem, 10)).sort((a, b) => a - b),
    );
  });

  it.each([
    ['two that act in one step', '  - customer: book\n    staff: dispatch', /customer|staff/],
    ['at with after', '  - at: end\n    after: 3h', /contradict/],
    ['a step that does nothing', '  - {}', /does nothing/],
    ['an answer without an action', '  - at: end\n    answer: unknown', /step with an action/],
    ['an answer without its code', '  - customer: book\n    answer: refused', /with a code/],
    ['a list for a mapping', '  - see: [status]', /expected a mapping of known, status/],
    ['a fault that does nothing', '  - platform: { times: 3 }', /what goes wrong/],
    ['a manager who does nothing', '  - manager: { because: so }', /asserts, settles or resolves/],
    ['a settlement without an outcome', '  - manager: { settles: dispatch/start, because: so }', /as/],
    ['a delay of no length', '  - platform: { delays: 20 }', /by/],
  ])('is refused for %s', (_, steps, message) => {
    expect(problemsOf(`${head}steps:\n${steps}\n`)[0]).toMatch(message);
  });

  it('reports the place of broken YAML', () => {
    expect(problemsOf('title: "A\nstory: B\n')[0]).toMatch(/^\d+:\d+ /);
  });
});

it('durations and moments are read in each written form', () => {
  expect(['3h', '1d 12h', '1d12h', '90s', 'PT3H', '1.5h'].map(readDuration)).toEqual(
    [3, 36, 36, 0.025, 3, 1.5].map((hours) => hours * 3_600_000),
  );
  expect(['3', 'h', '', '-3h', '3x'].map(readDuration)).toEqual(Array(5).fill(undefined));
  expect(readMoment('end + 3h')).toEqual({ anchor: 'end', offsetMs: 10_800_000 });
  expect(readMoment('start-10m')).toEqual({ anchor: 'start', offsetMs: -600_000 });
  expect(['ende', 'end+', 'end+soon', '3h'].map(readMoment)).toEqual(Array(4).fill(undefined));
});

it('moments are written in the form of the file', () => {
  const at = { booked: 0, start: 10_800_000, end: 97_200_000 };
  const shown = [0, 60_000, 10_740_000, 10_800_000, 97_200_000, 97_200_000 + 7_260_000];
  expect(shown.map((instant) => showMoment(instant, at))).toEqual([
    'booked',
    'booked+1m',
    'start-1m',
    'start',
    'end',
    'end+2h 1m',
  ]);
});

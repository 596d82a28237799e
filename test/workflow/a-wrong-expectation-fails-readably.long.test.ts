import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readScenario } from '../../src/tools/rehearse/format/read.js';
import { runScenario } from '../../src/tools/rehearse/play/run.js';
import { toText } from '../../src/tools/rehearse/print.js';
import type { Stage } from '../../src/tools/rehearse/stage/stage.js';
import { personalOf } from '../support/rehearsals.js';
import { scan } from '../support/scan.js';
import { openTestStage } from '../support/stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openTestStage(inject('testServerPath'));
});
afterAll(() => stage?.close());

const story = (steps: string) =>
  readScenario(
    `title: A wrong one\nstory: It expects what does not happen.\nrules: [L43]\nrental: { starts: 3h, lasts: 1d }\nsteps:\n${steps}`,
    'wrong.yaml',
  );

it('negative control: every wrong expectation is reported with its line, the expected and the actual value', async () => {
  const rehearsal = await runScenario(
    stage,
    story(`
  - customer: book
    see:
      status: 20
      grade: inferred
      expected: 45
      expectedBy: end
      display: in-use
      attention: { return-late: end }
      raised: { return-late: 1 }
      commands: { dispatch/start: applied }
      marks: [adopted]
      start: end
      car: another
      companion: registered
      staff: { dispatch: assigned }
      photos: { dispatch/carImage: current }
      verdicts: { duplicate: 9 }
      timeline: [L24]
      requests: { book: 7 }
      applied: { dispatch/start: 7 }
      platform: 35
      alerts: [return-late raised]
      closed: true
      known: false`),
  );
  expect(rehearsal.passed).toBe(false);
  const [failure] = rehearsal.failures;
  expect(failure).toMatchObject({ line: 7 });
  // each word of the vocabulary finds a difference: none holds by itself
  const words = failure?.sights.map(({ what }) => what.split(' ')[0]);
  expect([...new Set(words)].sort()).toEqual(
    [
      'status',
      'grade',
      'expected',
      'expectedBy',
      'display',
      'attention',
      'raised',
      'dispatch/start',
      'marks',
      'start',
      'car',
      'companion',
      'staff',
      'photo',
      'verdict',
      'timeline',
      'requests',
      'applied',
      'on',
      'alerts',
      'closed',
      'known',
    ].sort(),
  );
  expect(toText(rehearsal)).toContain('wrong.yaml:7  at booked');
  expect(toText(rehearsal)).toContain('    status: expected 20, seen 5');
});

it('negative control: an unexpected answer ends the scenario there', async () => {
  const rehearsal = await runScenario(
    stage,
    story(`
  - customer: book
  - staff: recall/complete
  - at: end
    see: { status: 35 }`),
  );
  expect(rehearsal.failures).toEqual([
    expect.objectContaining({
      line: 8,
      sights: [{ what: 'answer', expected: 'applied', seen: 'refused STATUS_BEHIND', holds: false }],
    }),
  ]);
});

it('L60 (negative control): the search finds personal values in each place', async () => {
  const scenario = story('  - customer: book\n  - staff: dispatch/staff');
  let view: unknown;
  await runScenario(stage, scenario, {
    onPlayed: async ({ manager, reservationId }) => {
      view = (await manager('GET', `/api/reservations/${reservationId}`)).body;
    },
  });
  const found = scan(view, personalOf(scenario)).map(({ value }) => value);
  expect(found).toContain('Driver Kim Haneul');
  expect(found).toContain('Dispatcher Park');
});

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { people } from '../../src/tools/rehearse/play/people.js';
import { type Rehearsal, runScenario } from '../../src/tools/rehearse/play/run.js';
import { toText } from '../../src/tools/rehearse/print.js';
import type { Stage } from '../../src/tools/rehearse/stage/stage.js';
import { representative } from './representative-scenarios.js';
import { scan } from './scan.js';
import { serverDataOf } from './server-data.js';
import { nameOf, openTestStage, scenarios } from './stage.js';

/**
 * Plays the representative scenarios or all others, one after the other on one stage, and looks for personal values in
 * everything that Temporal, the log, the metrics and the timeline keep of it (L60).
 */
export function rehearseAll(which: 'representative' | 'other'): void {
  const logged: string[] = [];
  let stage: Stage;
  beforeAll(async () => {
    const log = pino({ level: 'debug', base: null }, { write: (line: string) => void logged.push(line) });
    stage = await openTestStage(inject('testServerPath'), log);
  });
  afterAll(() => stage?.close());

  const mine = scenarios.filter(
    (scenario) =>
      !scenario.real && representative.includes(nameOf(scenario)) === (which === 'representative'),
  );
  describe.each(mine.map((scenario) => ({ scenario, name: `${scenario.title} (${scenario.file})` })))(
    '$name',
    ({ scenario }) => {
      let kept: Record<string, unknown>;
      let rehearsal: Rehearsal;

      it(`${scenario.rules.join(', ')}: runs as its file states`, { timeout: 90_000 }, async () => {
        rehearsal = await runScenario(stage, scenario, {
          onPlayed: async (scene) => {
            kept = { ...(await serverDataOf(scene)), metrics: (await scene.manager('GET', '/metrics')).body };
          },
        });
        expect(rehearsal.passed, toText(rehearsal)).toBe(true);
      });

      it('L60: leaves nothing personal in histories, search attributes, ids, timeline and metrics', () => {
        const entries = rehearsal.lines.filter(({ rule, who }) => rule !== undefined || who === 'ALERT');
        expect(scan({ ...kept, entries }, personalOf(scenario))).toEqual([]);
        expect(Object.keys(kept).length).toBeGreaterThan(2);
      });
    },
  );

  it('L60: leaves nothing personal in the log of all of them', () => {
    expect(logged.length).toBeGreaterThan(0);
    expect(scan(logged, mine.flatMap(personalOf))).toEqual([]);
  });
}

/** What people are called and reached by, and the reasons that they give. */
export function personalOf({ steps }: Rehearsal['scenario']): string[] {
  const reasons = steps.flatMap(({ deed }) => {
    if (deed?.who === 'staff') return [deed.override ?? [], deed.note ?? []].flat();
    return deed?.who === 'manager' ? deed.act.because : [];
  });
  return [...texts(people), ...reasons];
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

import { sql } from 'drizzle-orm';
import { reservationWorkflowId } from '../../../contract/names.js';
import { roleWorkflowId } from '../../../contract/role.js';
import type { Instant } from '../../../domain/shared/time.js';
import { terminateIfOpen } from '../../../temporal/client/signal-if-open.js';
import type { Scenario } from '../format/read.js';
import { productFor } from '../stage/product.js';
import { settingFor } from '../stage/setting.js';
import type { Stage } from '../stage/stage.js';
import { checkSights, readShown, type Sight } from './check.js';
import { describeDeed } from './describe.js';
import { perform } from './perform.js';
import { instantIn, openScene, type Scene } from './scene.js';

/** One printed line of a rehearsal: who, what, when (an instant of the story). */
export interface StoryEntry {
  at: Instant;
  who: string;
  text: string;
  rule?: string;
}

/** A step whose answer or facts differ from the scenario. */
interface Failure {
  line: number;
  at: Instant;
  sights: Sight[];
}

export interface Rehearsal {
  scenario: Scenario;
  passed: boolean;
  lines: StoryEntry[];
  failures: Failure[];
  anchors: Scene['anchors'];
  reservationId: number;
  /** Real time from the first step to the last, without the stage's own start. */
  tookMs: number;
}

export interface RunHooks {
  /** Called before the reservation's workflow is terminated, so that its histories can still be read. */
  onPlayed?: (scene: Scene) => Promise<void>;
}

/** Plays one scenario on the stage, after whatever was played there before. */
export async function runScenario(
  stage: Stage,
  scenario: Scenario,
  hooks: RunHooks = {},
): Promise<Rehearsal> {
  const { options, dataDir, clock, engine, sandbox, alerts } = stage;
  clock.set(await engine.now());
  const setting = await settingFor(scenario, {
    dataDir,
    keys: options.keys,
    log: options.log,
    alertUrl: alerts.url,
  });
  const comesAndGoes = scenario.steps.some(({ deed }) => deed?.who === 'handover');
  const product = await productFor(stage, setting, comesAndGoes);
  try {
    const scene = await openScene(stage, product, scenario);
    const begun = performance.now();
    const { lines, failures } = await play(scene);
    const tookMs = performance.now() - begun;
    await scene.driver.untilPosted();
    const { timeline } = await readShown(scene);
    const timelineEntries = timeline.map(({ at, kind, rule, text }) => ({
      at: Date.parse(at),
      who: kind,
      rule,
      text,
    }));
    await hooks.onPlayed?.(scene);
    return {
      scenario,
      failures,
      tookMs,
      passed: failures.length === 0,
      lines: [...lines, ...timelineEntries, ...alertEntries(scene)].sort((a, b) => a.at - b.at),
      anchors: scene.anchors,
      reservationId: scene.reservationId,
    };
  } finally {
    sandbox.setCallback(undefined);
    await clearAway(stage);
    if (comesAndGoes) await stage.product.stop();
  }
}

async function play(scene: Scene): Promise<{ lines: StoryEntry[]; failures: Failure[] }> {
  const { driver, scenario } = scene;
  const lines: StoryEntry[] = [];
  const failures: Failure[] = [];
  for (const { when, deed, answer, see, line } of scenario.steps) {
    if (when !== null)
      await driver.advanceTo(typeof when === 'number' ? driver.now() + when : instantIn(scene, when));
    const at = driver.now();
    const sights: Sight[] = [];
    if (deed !== null) {
      const seen = await perform(scene, deed);
      const holds = seen === answer;
      lines.push({ at, ...describeDeed(deed), ...(answer !== 'applied' && { answer: seen }) });
      sights.push({ what: 'answer', expected: answer, seen, holds });
    }
    await driver.untilQuiet();
    if (see !== null) sights.push(...(await checkSights(scene, see)));
    const wrong = sights.filter(({ holds }) => !holds);
    if (wrong.length > 0) failures.push({ line, at: driver.now(), sights: wrong });
    if (see !== null) lines.push(seenEntry(driver.now(), sights));
    // an unexpected answer makes a different story of the rest
    if (wrong.some(({ what }) => what === 'answer')) break;
  }
  return { lines, failures };
}

function seenEntry(at: Instant, sights: Sight[]): StoryEntry {
  const facts = sights.filter(({ what }) => what !== 'answer');
  const right = facts.filter(({ holds }) => holds).map(({ what, seen }) => `${what} ${seen}`);
  const wrong = facts
    .filter(({ holds }) => !holds)
    .map(({ what, expected, seen }) => `${what} is ${seen}, expected ${expected}`);
  return wrong.length === 0
    ? { at, who: 'seen', text: right.join(', ') }
    : { at, who: 'NOT seen', text: wrong.join('; ') };
}

function alertEntries({ stage, from }: Scene): StoryEntry[] {
  return stage.alerts.posted.slice(from).map(({ type, kind, at, message }) => ({
    at: Date.parse(at),
    who: 'ALERT',
    text: `${kind} ${type.replace(/^.*\./, '')}: ${message}`,
  }));
}

/** Removes what a scenario leaves open: its workflows would block time skipping in the next one, and its key would stay revoked. */
async function clearAway({ engine, nextReservationId, database }: Stage): Promise<void> {
  await database.db.execute(sql`delete from inbox where state <> 'done'`);
  await database.db.execute(sql`delete from outbox`);
  await database.db.execute(sql`update alerts set cleared_at = now() where cleared_at is null`);
  const { client } = engine.temporal;
  const ids = [
    reservationWorkflowId(nextReservationId - 100),
    roleWorkflowId('channel'),
    roleWorkflowId('supplier'),
  ];
  for (const id of ids) {
    await terminateIfOpen(client, id, 'the rehearsal is over');
  }
}

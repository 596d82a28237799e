import { reservationWorkflowId } from '../../../contract/names.js';
import { roleWorkflowId } from '../../../contract/role.js';
import type { Instant } from '../../../domain/shared/time.js';
import { createSender, mustSucceed, type Send } from '../../player/http.js';
import { Player } from '../../player/player.js';
import type { Scenario } from '../format/read.js';
import { type Anchors, instantOf, type Moment } from '../format/times.js';
import type { Product } from '../stage/current-product.js';
import { createDriver, type Driver } from '../stage/driver.js';
import { platformKeys, tokens } from '../stage/setting.js';
import type { Stage } from '../stage/stage.js';
import { createFaults, type Faults } from './faults.js';
import { people } from './people.js';

/** One running scenario: its clients, and what is known of the story so far. */
export interface Scene {
  scenario: Scenario;
  stage: Stage;
  product: Product;
  driver: Driver;
  faults: Faults;
  anchors: Anchors;
  /** The story's reservation, once it is booked; its id is known beforehand. */
  reservationId: number;
  booked: boolean;
  firstCarId: number | null;
  /** Alerts that were posted before this scenario. */
  from: number;
  /** Number of commands so far: each has an id of its own unless the story gives one. */
  requests: number;
  /** Staff and customers. */
  player: Player;
  /** The status API as a manager; the platform's controls, and the platform as channel and supplier. */
  manager: Send;
  controls: Send;
  channel: Send;
  supplier: Send;
}

/** Begins a scenario: an empty platform whose clock shows the engine's time. */
export async function openScene(stage: Stage, product: Product, scenario: Scenario): Promise<Scene> {
  const { clock, engine, sandbox } = stage;
  const reservationId = stage.nextReservationId;
  stage.nextReservationId += 100;
  const channel = createSender(sandbox.url, platformKeys.channel);
  const controls = channel;
  await mustSucceed(controls)('POST', '/sandbox/reset', { body: { firstReservationId: reservationId } });
  if (engine.skips) {
    const at = new Date(clock.now()).toISOString();
    await mustSucceed(controls)('POST', '/sandbox/clock', { body: { freeze: true, at } });
  }
  // without it no role is ever suspended
  const keyTurns = scenario.steps.some(
    ({ deed }) => deed?.who === 'platform' && deed.fault.key !== undefined,
  );
  const receivesCallbacks = scenario.roles.includes('channel');
  const secret = product.setting.config.sandbox.callbackSecret;
  sandbox.setCallback(receivesCallbacks ? { url: product.url, secret } : undefined);
  return {
    scenario,
    stage,
    product,
    reservationId,
    driver: createDriver(stage, {
      workflowIds: () => [
        reservationWorkflowId(reservationId),
        ...(keyTurns ? scenario.roles.map(roleWorkflowId) : []),
      ],
      isWorking: product.isWorking,
    }),
    faults: createFaults(controls),
    anchors: anchorsFrom(scenario, clock.now()),
    booked: false,
    firstCarId: null,
    requests: 0,
    from: stage.alerts.posted.length,
    player: new Player(createSender(product.url, tokens.staff), controls, people),
    manager: createSender(product.url, tokens.manager),
    supplier: createSender(sandbox.url, platformKeys.supplier),
    controls,
    channel,
  };
}

/** A moment of the story as an instant. */
export function instantIn({ anchors, driver }: Scene, moment: Moment): Instant {
  return instantOf(moment, anchors, driver.now());
}

/** The rental as it is booked at `now`; whole seconds, for that is what a platform may keep. */
export function anchorsFrom({ rental }: Scenario, now: Instant): Anchors {
  const start = Math.ceil((now + rental.starts) / 1000) * 1000;
  return { booked: now, start, end: start + rental.lasts };
}

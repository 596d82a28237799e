import type { Deed } from '../format/step.js';
import { type Ask, demand, type Heard } from '../stage/http.js';
import { sendByHand } from './by-hand.js';
import { bodyOf, bookingBody, methodOf, people } from './people.js';
import { anchorsFrom, instantIn, type Scene } from './scene.js';

/** What came back, in the words of `answer`: `applied`, `refused STATUS_BEHIND`, `rejected NOT_FOUND` … */
export type Answer = string;

/** Carries out the actions or the fault of one step; each request of a list is awaited before the next. */
export async function perform(scene: Scene, deed: Deed): Promise<Answer> {
  switch (deed.who) {
    case 'staff':
      return press(scene, deed);
    case 'customer':
      return deed.move === 'book' ? book(scene) : moved(scene, deed.move);
    case 'website':
      return onWebSite(scene, deed.change);
    case 'manager':
      return manage(scene, deed.act);
    case 'platform':
      if (deed.fault.sends !== undefined) await sendByHand(scene, deed.fault.sends);
      else await scene.faults.add(deed.fault, scene.reservationId);
      return 'applied';
    case 'handover':
      await (deed.change === 'worker-stops' ? scene.product.stopWorker() : scene.product.startWorker());
      return 'applied';
  }
}

type Act<W extends Deed['who']> = Extract<Deed, { who: W }>;

async function press(scene: Scene, { actions, override, id, note }: Act<'staff'>): Promise<Answer> {
  let answer = 'applied';
  for (const action of actions) {
    scene.presses += 1;
    const body = bodyOf(action, {
      ...(override !== undefined && { override: true, reason: override }),
      ...(note !== undefined && { note }),
    });
    const headers = { 'idempotency-key': `${scene.reservationId}-${id ?? `press-${scene.presses}`}` };
    const path = `/api/reservations/${scene.reservationId}/${action}`;
    answer = answerOf(await scene.staff(methodOf(action), path, { body, headers }));
    await scene.driver.quiet();
    if (answer !== 'applied') return actions.length === 1 ? answer : `${answer} (${action})`;
  }
  return answer;
}

function answerOf({ status, body }: Heard): Answer {
  if (status < 202) return 'applied';
  if (status === 202) return body.outcome;
  return body.platformCode === undefined ? `refused ${body.code}` : `rejected ${body.platformCode}`;
}

/** Through Handover where it books for a channel, else by another channel. */
async function book(scene: Scene): Promise<Answer> {
  const { scenario, driver, controls, reservationId } = scene;
  scene.anchors = anchorsFrom(scenario, driver.now());
  const body = bookingBody({ startAt: scene.anchors.start, endAt: scene.anchors.end });
  const headers = { 'idempotency-key': `book-${reservationId}` };
  const heard = scenario.roles.includes('channel')
    ? await scene.staff('POST', '/api/reservations', { body, headers })
    : await scene.channel('POST', '/reservations', { body });
  const { status, body: truth } = await controls('GET', `/sandbox/reservations/${reservationId}`);
  scene.booked = status === 200;
  scene.firstCarId = truth?.carId ?? null;
  return answerOf(heard);
}

async function moved({ controls, reservationId }: Scene, move: string): Promise<Answer> {
  return byPlatform(await controls('POST', `/sandbox/reservations/${reservationId}/${move}`));
}

/** The platform's own answer: its refusal of a move is part of the story, where the story says so. */
function byPlatform({ status, body }: Heard): Answer {
  return status < 300 ? 'applied' : `refused ${body?.code ?? status}`;
}

async function onWebSite(scene: Scene, change: Act<'website'>['change']): Promise<Answer> {
  const { controls, supplier, reservationId } = scene;
  const path = `/sandbox/reservations/${reservationId}`;
  if ('action' in change) {
    const { action } = change;
    const address = `/developer/v1/reservation/${reservationId}/${action}`;
    return byPlatform(await supplier(methodOf(action), address, { body: bodyOf(action) }));
  }
  const asks: Parameters<Ask>[] = [];
  const iso = (moment: NonNullable<typeof change.end>) => new Date(instantIn(scene, moment)).toISOString();
  if (change.start !== undefined || change.end !== undefined) {
    const body = {
      ...(change.start && { startAt: iso(change.start) }),
      ...(change.end && { endAt: iso(change.end) }),
    };
    asks.push(['POST', `${path}/period`, { body }]);
  }
  if (change.car !== undefined)
    asks.push(['POST', `${path}/car`, { body: { carId: carOf(scene, change.car) } }]);
  if (change.companion === 'added') asks.push(['POST', `${path}/companion`, { body: people.companion }]);
  if (change.companion === 'removed') asks.push(['DELETE', `${path}/companion`]);
  if (change.driver !== undefined)
    asks.push(['POST', `${path}/details`, { body: { driver: people.otherDriver } }]);
  if (change.entry !== undefined) {
    const { from, to } = change.entry;
    const period = { startDateTimeStr: iso(from), endDateTimeStr: iso(to) };
    const body = { carId: carOf(scene, 'first'), ...period, reason: 'inspection' };
    const answer = byPlatform(await supplier('POST', '/schedule', { body }));
    if (answer !== 'applied') return answer;
  }
  for (const ask of asks) {
    const answer = byPlatform(await controls(...ask));
    if (answer !== 'applied') return answer;
  }
  return 'applied';
}

/** The product that is booked has the cars 1001 to 1004. */
export function carOf({ firstCarId }: Scene, which: 'first' | 'another'): number {
  if (firstCarId === null) throw new Error('nothing is booked yet, so there is no car');
  if (which === 'first') return firstCarId;
  return firstCarId === 1001 ? 1002 : 1001;
}

async function manage(scene: Scene, act: Act<'manager'>['act']): Promise<Answer> {
  const { manager, reservationId } = scene;
  const path = `/api/reservations/${reservationId}`;
  scene.presses += 1;
  const headers = { 'idempotency-key': `${reservationId}-manager-${scene.presses}` };
  const reason = act.because;
  const send = async (method: string, address: string, body: object) =>
    answerOf(await manager(method, address, { body, headers }));
  if (act.asserts !== undefined) {
    const { status, car, start, end } = act.asserts;
    const iso = (moment: NonNullable<typeof start>) => new Date(instantIn(scene, moment)).toISOString();
    return send('PUT', path, {
      ...(status !== undefined && { status }),
      ...(car !== undefined && { carId: carOf(scene, car) }),
      ...(start !== undefined && { startAt: iso(start) }),
      ...(end !== undefined && { endAt: iso(end) }),
      reason,
    });
  }
  if (act.settles !== undefined) {
    const action = String(act.settles).replace('/', '.');
    const { commands } = (await demand(manager, 'GET', path)).body;
    const command = commands.findLast((one: { action: string }) => one.action === action);
    if (command === undefined) return 'refused COMMAND_NOT_FOUND';
    return send('POST', `${path}/commands/${command.commandId}/resolve`, { outcome: act.as, reason });
  }
  return send('POST', `${path}/attention/${act.resolves}/resolve`, { reason });
}

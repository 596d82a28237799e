import { actionOf, methodOf } from '../../player/actions.js';
import { type HttpAnswer, mustSucceed, sendWrite } from '../../player/http.js';
import { bodyOf, bookingBody } from '../../player/people.js';
import type { Deed } from '../format/step.js';
import type { Moment } from '../format/times.js';
import { sendByHand } from './by-hand.js';
import { people } from './people.js';
import { anchorsFrom, instantIn, type Scene } from './scene.js';

/** The answer as `answer` of a step writes it: `applied`, `refused STATUS_BEHIND`, `rejected NOT_FOUND` … */
export type Answer = string;

/** Carries out the actions or the fault of one step; each request of a list is awaited before the next. */
export async function perform(scene: Scene, deed: Deed): Promise<Answer> {
  switch (deed.who) {
    case 'staff':
      return actAsStaff(scene, deed);
    case 'customer':
      return deed.move === 'book'
        ? book(scene)
        : platformAnswerOf(await scene.player.moveAsCustomer(scene.reservationId, deed.move));
    case 'website':
      return changeOnWebSite(scene, deed.change);
    case 'manager':
      return actAsManager(scene, deed.act);
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

async function actAsStaff(scene: Scene, { actions, override, id, note }: Act<'staff'>): Promise<Answer> {
  let answer = 'applied';
  for (const action of actions) {
    scene.requests += 1;
    const key = `${scene.reservationId}-${id ?? `request-${scene.requests}`}`;
    const more = {
      ...(override !== undefined && { override: true, reason: override }),
      ...(note !== undefined && { note }),
    };
    answer = answerOf(await scene.player.act(scene.reservationId, action, key, more));
    await scene.driver.untilQuiet();
    if (answer !== 'applied') return actions.length === 1 ? answer : `${answer} (${action})`;
  }
  return answer;
}

function answerOf({ status, body }: HttpAnswer): Answer {
  if (status < 202) return 'applied';
  if (status === 202) return body.outcome;
  return body.platformCode === undefined ? `refused ${body.code}` : `rejected ${body.platformCode}`;
}

/** Through Handover where it books for a channel, else by another channel. */
async function book(scene: Scene): Promise<Answer> {
  const { scenario, driver, controls, player, channel, reservationId } = scene;
  scene.anchors = anchorsFrom(scenario, driver.now());
  const { start, end } = scene.anchors;
  const rental = { productId: 301, startAt: start, endAt: end, pickupMemo: people.pickupMemo };
  const answer = scenario.roles.includes('channel')
    ? await player.book(rental, `book-${reservationId}`)
    : await channel('POST', '/reservations', { body: bookingBody(people, rental) });
  const { status, body: truth } = await controls('GET', `/sandbox/reservations/${reservationId}`);
  scene.booked = status === 200;
  scene.firstCarId = truth?.carId ?? null;
  return answerOf(answer);
}

/** The platform's own answer: a scenario may expect its refusal. */
function platformAnswerOf({ status, body }: HttpAnswer): Answer {
  return status < 300 ? 'applied' : `refused ${body?.code ?? status}`;
}

async function changeOnWebSite(scene: Scene, change: Act<'website'>['change']): Promise<Answer> {
  const { controls, player, supplier, reservationId } = scene;
  if ('action' in change) {
    const { action } = change;
    const address = `/developer/v1/reservation/${reservationId}/${action}`;
    return platformAnswerOf(await supplier(methodOf(action), address, { body: bodyOf(people, action) }));
  }
  const path = `/sandbox/reservations/${reservationId}`;
  const { start, end, car, companion, driver, entry } = change;
  const requests: (() => Promise<HttpAnswer>)[] = [];
  if (entry !== undefined) {
    const period = { startDateTimeStr: toIso(scene, entry.from), endDateTimeStr: toIso(scene, entry.to) };
    const body = { carId: carOf(scene, 'first'), ...period, reason: 'inspection' };
    requests.push(() => supplier('POST', '/schedule', { body }));
  }
  if (start !== undefined || end !== undefined) {
    const period = {
      ...(start && { startAt: instantIn(scene, start) }),
      ...(end && { endAt: instantIn(scene, end) }),
    };
    requests.push(() => player.changePeriod(reservationId, period));
  }
  if (car !== undefined) {
    const body = { carId: carOf(scene, car) };
    requests.push(() => controls('POST', `${path}/car`, { body }));
  }
  if (companion === 'added')
    requests.push(() => controls('POST', `${path}/companion`, { body: people.companion }));
  if (companion === 'removed') requests.push(() => controls('DELETE', `${path}/companion`));
  if (driver !== undefined)
    requests.push(() => controls('POST', `${path}/details`, { body: { driver: people.otherDriver } }));
  for (const request of requests) {
    const answer = platformAnswerOf(await request());
    if (answer !== 'applied') return answer;
  }
  return 'applied';
}

function toIso(scene: Scene, moment: Moment): string {
  return new Date(instantIn(scene, moment)).toISOString();
}

/** The car's id: the booked product has the cars 1001 to 1004. */
export function carOf({ firstCarId }: Scene, which: 'first' | 'another'): number {
  if (firstCarId === null) throw new Error('nothing is booked yet, so there is no car');
  if (which === 'first') return firstCarId;
  return firstCarId === 1001 ? 1002 : 1001;
}

async function actAsManager(scene: Scene, act: Act<'manager'>['act']): Promise<Answer> {
  const { manager, reservationId } = scene;
  const path = `/api/reservations/${reservationId}`;
  scene.requests += 1;
  const key = `${reservationId}-manager-${scene.requests}`;
  const reason = act.because;
  const send = async (method: 'PUT' | 'POST', address: string, body: object) =>
    answerOf(await sendWrite(manager, method, address, { key, body }));
  if (act.asserts !== undefined) {
    const { status, car, start, end } = act.asserts;
    return send('PUT', path, {
      ...(status !== undefined && { status }),
      ...(car !== undefined && { carId: carOf(scene, car) }),
      ...(start !== undefined && { startAt: toIso(scene, start) }),
      ...(end !== undefined && { endAt: toIso(scene, end) }),
      reason,
    });
  }
  if (act.settles !== undefined) {
    const action = actionOf(act.settles);
    const { commands } = (await mustSucceed(manager)('GET', path)).body;
    const command = commands.findLast((one: { action: string }) => one.action === action);
    if (command === undefined) return 'refused COMMAND_NOT_FOUND';
    return send('POST', `${path}/commands/${command.commandId}/resolve`, { outcome: act.as, reason });
  }
  return send('POST', `${path}/attention/${act.resolves}/resolve`, { reason });
}

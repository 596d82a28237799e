import {
  type Action,
  accept,
  applyAnswer,
  type CommandBody,
  dispatchNext,
  newReservation,
  observe,
  type ReservationEvent,
  type ReservationState,
  type Step,
} from '../../src/domain/reservation/index.js';
import { Callbacks, policy, start } from './events.js';

const photo = { hash: 'ab'.repeat(32), type: 'image/png', size: 200_000 };
const staff = { staffName: 'Bench Staff', staffPhone: '01000000001' };

/** Bytes of the state that one run passes to the next. */
export function carriedBytes(state: ReservationState): number {
  return Buffer.byteLength(JSON.stringify({ state, unrecorded: { verdicts: [], entries: [] } }));
}

/** Eight staff actions and twelve callbacks, like the lifecycles of the bench. */
export function standard(): ReservationState {
  return new Played().handOver().back().state;
}

/** Many changes of period, car and memo before the handover, and as many commands as the state stores. */
export function busy(events: number): ReservationState {
  const played = new Played();
  for (let round = 0; round < events; round++) {
    const period = { start, end: start + (round % 200) * 3_600_000 };
    const car = { id: round % 40, number: '12가3456' };
    played.receive(played.callbacks.of(5, { period, car, pickupMemo: `memo ${round}`.padEnd(100, '.') }));
  }
  for (let round = 0; round < 64; round++) played.command('dispatch.staff', staff);
  return played.handOver().back().state;
}

class Played {
  readonly callbacks = new Callbacks(8421);
  state = newReservation(8421, policy, Date.now());
  private commands = 0;

  receive(...events: ReservationEvent[]): this {
    for (const event of events) this.applyStep(observe(this.state, event, Date.now()));
    return this;
  }

  command(action: Action, body: CommandBody): this {
    const commandId = `00000000-0000-4000-8000-${`${this.commands++}`.padStart(12, '0')}`;
    this.applyStep(accept(this.state, { commandId, action, body, by: 'staff' }, Date.now()));
    this.applyStep(dispatchNext(this.state, Date.now()));
    return this.applyStep(applyAnswer(this.state, commandId, { outcome: 'applied' }, Date.now()));
  }

  handOver(): this {
    const { callbacks } = this;
    this.receive(callbacks.of(5, { channel: 'registration' }));
    this.command('dispatch.staff', staff).command('dispatch.start', {});
    this.receive(callbacks.of(10), callbacks.status(10));
    this.command('dispatch.parkingImage', { photo }).command('dispatch.carImage', { photo });
    this.command('dispatch.complete', { parkingMemo: 'B2, pillar 14', parkingLotType: 1 });
    return this.receive(callbacks.of(15, { parking: { memo: 'B2', lotType: 1 } }), callbacks.status(15));
  }

  back(): this {
    const { callbacks } = this;
    for (const code of [20, 30]) this.receive(callbacks.of(code), callbacks.status(code));
    this.command('recall.staff', staff).command('recall.carImage', { photo }).command('recall.complete', {});
    return this.receive(callbacks.of(35), callbacks.status(35));
  }

  private applyStep({ state }: Pick<Step, 'state'>): this {
    this.state = state;
    return this;
  }
}

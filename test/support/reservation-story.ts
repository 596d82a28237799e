import type { Rendered } from '../../src/api/http/sentences.js';
import { visible } from '../../src/api/reservations/owners.js';
import * as lifecycle from '../../src/domain/reservation/index.js';
import { inEnglish, read } from './sentences.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** 2026-11-21T09:00+09:00: stories begin here. */
export const origin = Date.UTC(2026, 10, 21, 0, 0);

/** The default profile's tables and the specification's durations, both roles. */
export const policy: lifecycle.Policy = {
  roles: ['channel', 'supplier'],
  zoneOffsetMinutes: 540,
  dispatchLeadMs: hour,
  overdueGraceMs: 3 * minute,
  lateLadderMs: [15 * minute, 60 * minute, 120 * minute],
  recallOverdueMs: 12 * hour,
  notAnnouncedMs: 10 * minute,
  incompleteMs: 10 * minute,
  ambiguousMs: day,
  settleMs: day,
  signalsPerRun: 500,
  historyEventsPerRun: 1_000,
  fromStates: {
    '10': [5],
    '15': [10],
    '20': [15],
    '25': [20],
    '30': [20, 25],
    '35': [30],
    '40': [5, 10, 15],
    '45': [5, 10, 15],
    '50': [5],
  },
};

/** What a callback with the whole reservation carries, unless a test says otherwise. */
export const whole = {
  period: { start: origin + 4 * hour, end: origin + 28 * hour },
  car: { id: 12, number: '12가3456' },
  company: { id: 3, name: 'Han River Rentals' },
  createdAt: origin - hour,
  companion: null,
} as const;

export const photo = { hash: 'ab12', type: 'image/jpeg', size: 2048 } as const;

export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

type EventParts = Partial<lifecycle.ReservationEvent>;

/** What lets a person send an action out of its order. */
export const override = { reason: 'agreed by phone' };
/** An answer that did not come. */
export const unknown = { outcome: 'unknown', code: 'TIMEOUT' } as const;

/** Plays a reservation through the lifecycle's functions. Its states are frozen: a function that mutates one throws. */
export class Story {
  state: lifecycle.ReservationState;
  now = origin;
  readonly entries: lifecycle.TimelineEntry[] = [];
  private count = 0;

  constructor(changes: Partial<lifecycle.Policy> = {}) {
    this.state = deepFreeze(lifecycle.newReservation(8421, { ...policy, ...changes }, this.now));
  }

  /** As a person reads it. */
  get view(): ReturnType<typeof visible> {
    return visible(lifecycle.view(this.state, this.now), inEnglish);
  }
  get outlook(): lifecycle.Outlook {
    return lifecycle.outlook(this.state, this.now);
  }
  get nextDeadline(): number | null {
    return this.outlook.nextDeadline;
  }
  get kinds(): lifecycle.AttentionKind[] {
    return this.view.attention.map(({ kind }) => kind);
  }

  take(step: lifecycle.Step): void {
    this.state = deepFreeze(step.state);
    this.entries.push(...step.entries);
  }

  at(instant: number): this {
    this.now = instant;
    this.take(lifecycle.wake(this.state, this.now));
    return this;
  }

  observe(event: lifecycle.ReservationEvent): lifecycle.EventVerdict {
    const step = lifecycle.observe(this.state, deepFreeze(event), this.now);
    this.take(step);
    return step.verdict;
  }

  event(channel: lifecycle.EventChannel, parts: EventParts = {}): lifecycle.ReservationEvent {
    this.count += 1;
    return {
      eventId: `event-${this.count}`,
      inboxId: this.count,
      channel,
      receivedAt: this.now,
      contentHash: JSON.stringify([channel, { ...parts, eventId: undefined, receivedAt: undefined }]),
      ...parts,
    };
  }
  registered(parts: EventParts = {}): lifecycle.EventVerdict {
    return this.observe(this.event('registration', { status: 5, ...whole, ...parts }));
  }
  updated(status: number, parts: EventParts = {}): lifecycle.EventVerdict {
    return this.observe(this.event('update', { status, ...whole, ...parts }));
  }
  status(status: number, parts: EventParts = {}): lifecycle.EventVerdict {
    return this.observe(this.event('status', { status, ...parts }));
  }
  carChanged(from: number, to: number, parts: EventParts = {}): lifecycle.EventVerdict {
    return this.observe(this.event('car', { previousCarId: from, car: { id: to, number: null }, ...parts }));
  }

  book(booking: lifecycle.Booking): void {
    this.take(lifecycle.applyBooking(this.state, deepFreeze(booking), this.now));
  }

  command(action: lifecycle.Action, parts: Partial<lifecycle.Command> = {}): lifecycle.Command {
    this.count += 1;
    const body = action.endsWith('Image')
      ? { photo }
      : action.endsWith('staff')
        ? { staffName: 'Kim', staffPhone: '01012345678' }
        : {};
    return { commandId: `command-${this.count}`, action, body, by: 'dana', ...parts };
  }
  refusal(
    action: lifecycle.Action,
    parts: Partial<lifecycle.Command> = {},
  ): Rendered<lifecycle.Refusal> | null {
    return read(lifecycle.decide(this.state, this.command(action, parts)));
  }
  /** Takes a command in without sending it; its id. */
  accept(action: lifecycle.Action, parts: Partial<lifecycle.Command> = {}): string {
    const command = deepFreeze(this.command(action, parts));
    const refusal = lifecycle.decide(this.state, command);
    if (refusal !== null) throw new Error(`${refusal.code}: ${inEnglish(refusal.message)}`);
    this.take(lifecycle.accept(this.state, command, this.now));
    return command.commandId;
  }
  send(): lifecycle.AttemptToSend | null {
    const { attempt, ...step } = lifecycle.dispatchNext(this.state, this.now);
    this.take(step);
    return attempt;
  }
  answer(commandId: string, answer: lifecycle.Answer): Rendered<lifecycle.CommandView> {
    this.take(lifecycle.applyAnswer(this.state, commandId, answer, this.now));
    return this.shown(commandId);
  }
  shown(commandId: string): Rendered<lifecycle.CommandView> {
    return read(lifecycle.commandView(this.state, commandId));
  }
  /** Accepts the action, sends it and applies the answer; returns the id of the command. */
  sendAction(
    action: lifecycle.Action,
    answer: lifecycle.Answer = { outcome: 'applied' },
    parts: Partial<lifecycle.Command> = {},
  ): string {
    const commandId = this.accept(action, parts);
    this.send();
    this.answer(commandId, answer);
    return commandId;
  }
  /** Everything a rental company does before `complete`, all accepted. */
  prepareDispatch(): this {
    this.sendAction('dispatch.staff');
    this.sendAction('dispatch.start');
    this.sendAction('dispatch.parkingImage');
    this.sendAction('dispatch.carImage');
    return this;
  }
}

/** A reservation that is registered. */
export function registered(parts: EventParts = {}, changes: Partial<lifecycle.Policy> = {}): Story {
  const story = new Story(changes);
  story.registered(parts);
  return story;
}

/** A registered reservation that an update showed at this status. */
export function storyAt(
  status: number,
  parts: EventParts = {},
  changes: Partial<lifecycle.Policy> = {},
): Story {
  const story = registered({}, changes);
  if (status !== 5) story.updated(status, parts);
  return story;
}

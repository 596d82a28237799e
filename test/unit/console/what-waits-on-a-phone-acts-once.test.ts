import { describe, expect, it } from 'vitest';
import type { Received } from '../../../console/api/read-answer.js';
import { type Drained, drain, type Round } from '../../../console/offline/drain.js';
import { type Entry, nextEntry } from '../../../console/offline/entry.js';

const entry = (order: number, reservationId: number, changes: Partial<Entry> = {}): Entry => ({
  order,
  key: `key-${order}`,
  by: 'kim',
  at: 0,
  reservationId,
  plate: null,
  action: 'dispatch.start',
  fields: {},
  hasPhoto: false,
  state: 'waiting',
  problem: null,
  awaited: null,
  ...changes,
});

/** What becomes of one request. `closed`: the page is closed while it waits for the answer. */
const fates = [
  'applied',
  'rejected',
  'open',
  'open, then rejected',
  'nothing arrives',
  'the answer is lost',
  'no time',
  'a broken answer after it was executed',
  'a page of the network',
  'login ended',
  'closed before it arrives',
  'closed after it arrived',
] as const;
type Fate = (typeof fates)[number];

class PageClosed extends Error {}

/** The service: it executes a key once, and answers a repeat with the first outcome. */
class Service {
  readonly executed: Entry[] = [];
  private readonly outcomes = new Map<string, 'applied' | 'rejected' | 'out'>();
  constructor(private readonly fates: Fate[]) {}

  answer(sent: Entry): Received {
    const fate = this.fates.shift() ?? 'applied';
    if (fate === 'nothing arrives') return { status: 0, body: null };
    if (fate === 'closed before it arrives') throw new PageClosed();
    if (fate === 'login ended') return { status: 401, body: { code: 'SESSION_ENDED', detail: '' } };
    if (fate === 'no time') return { status: 503, body: { code: 'ENGINE_UNAVAILABLE', detail: '' } };
    if (fate === 'a page of the network') return { status: 200, body: undefined };
    this.execute(sent, fate);
    if (fate === 'the answer is lost') return { status: 0, body: null };
    if (fate === 'closed after it arrived') throw new PageClosed();
    if (fate === 'a broken answer after it was executed') return { status: 502, body: null };
    return this.outcomeOf(sent);
  }

  private execute(sent: Entry, fate: Fate): void {
    if (this.outcomes.has(sent.key)) return;
    if (fate !== 'rejected') this.executed.push(sent);
    const isOpen = fate === 'open' || fate === 'open, then rejected';
    this.outcomes.set(sent.key, fate === 'rejected' ? 'rejected' : isOpen ? 'out' : 'applied');
    if (fate === 'open, then rejected') this.rejectedLater.add(sent.key);
  }

  private readonly rejectedLater = new Set<string>();

  private outcomeOf({ key, reservationId }: Entry): Received {
    const outcome = this.outcomes.get(key);
    if (outcome === 'rejected') return { status: 409, body: { code: 'ACTION_NOT_ALLOWED', detail: 'no' } };
    if (outcome === 'out') return { status: 202, body: { commandId: key, outcome } };
    return { status: 200, body: this.view(reservationId) };
  }

  view(reservationId: number) {
    const commands = [...this.outcomes].map(([commandId, outcome]) => ({ commandId, outcome }));
    return { reservationId, commands };
  }

  /** It is restored from a backup of before. */
  loseState(): void {
    this.outcomes.clear();
  }

  /** The platform answers what was open. */
  resolve(): void {
    for (const [key, outcome] of this.outcomes) {
      if (outcome === 'out') this.outcomes.set(key, this.rejectedLater.has(key) ? 'rejected' : 'applied');
    }
  }
}

class Phone implements Drained {
  readonly applied: number[] = [];
  constructor(
    public entries: Entry[],
    private readonly service: Service,
    public user: Awaited<ReturnType<Drained['readUser']>> = { is: 'in', name: 'kim' },
  ) {}

  async readUser() {
    return this.user;
  }
  async readAll() {
    return this.entries;
  }
  async update(changed: Entry) {
    this.entries = this.entries.map((one) => (one.order === changed.order ? changed : one));
  }
  async remove({ order }: Entry) {
    this.entries = this.entries.filter((one) => one.order !== order);
  }
  async send(sent: Entry) {
    return this.service.answer(sent);
  }
  async readReservation(id: number): Promise<Received> {
    return { status: 200, body: this.service.view(id) };
  }
  onApplied({ reservationId }: { reservationId: number }) {
    this.applied.push(reservationId);
  }

  /** A round; a page that was closed is opened again. */
  async round(): Promise<Round | 'closed'> {
    return drain(this).catch((error) => {
      if (error instanceof PageClosed) return 'closed';
      throw error;
    });
  }

  /** Rounds until nothing more changes. */
  async finish(): Promise<void> {
    for (let rounds = 0; rounds < 12; rounds++) {
      await this.round();
      this.service.resolve();
    }
  }
}

/** All sequences of fates of this length. */
function* sequences(length: number): Generator<Fate[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const rest of sequences(length - 1)) for (const fate of fates) yield [fate, ...rest];
}

describe('whatever becomes of the first three requests', () => {
  it('each entry is executed once, in its order, until one of its reservation is rejected', async () => {
    for (const planned of sequences(3)) {
      const service = new Service([...planned]);
      const phone = new Phone([entry(1, 8421), entry(2, 7000), entry(3, 8421), entry(4, 8421)], service);
      await phone.finish();
      const what = planned.join(', ');
      const executed = service.executed.map(({ key }) => key);
      expect(new Set(executed).size, what).toBe(executed.length);
      const ofOne = service.executed.filter(({ reservationId }) => reservationId === 8421);
      expect(
        ofOne.map(({ order }) => order),
        what,
      ).toEqual(ofOne.map(({ order }) => order).sort());
      // what is left is rejected, or waits behind a rejected one
      const left = phone.entries.map(({ order }) => order);
      const rejected = phone.entries.filter(({ state }) => state === 'rejected');
      for (const { order, reservationId, state } of phone.entries) {
        const isBehind = rejected.some((one) => one.reservationId === reservationId && one.order < order);
        expect(state === 'rejected' || isBehind, what).toBe(true);
        if (isBehind) expect(executed, what).not.toContain(`key-${order}`);
      }
      for (const order of [1, 2, 3, 4].filter((one) => !left.includes(one)))
        expect(executed, what).toContain(`key-${order}`);
    }
  });

  it('removing what was rejected lets the entries behind it be sent', async () => {
    for (const planned of sequences(3)) {
      const phone = new Phone([entry(1, 8421), entry(2, 8421), entry(3, 8421)], new Service([...planned]));
      for (let removals = 0; removals < 4; removals++) {
        await phone.finish();
        const [rejected] = phone.entries;
        if (rejected !== undefined) await phone.remove(rejected);
      }
      expect(phone.entries, planned.join(', ')).toEqual([]);
    }
  });
});

describe('one round', () => {
  it('sends nothing without a connection, and nothing without a login', async () => {
    for (const is of ['offline', 'login'] as const) {
      const service = new Service([]);
      const phone = new Phone([entry(1, 8421)], service, { is });
      expect([await phone.round(), service.executed, phone.entries]).toEqual([is, [], [entry(1, 8421)]]);
    }
  });

  it('a login that ends loses nothing: after it the same key is sent', async () => {
    const service = new Service(['login ended']);
    const phone = new Phone([entry(1, 8421)], service);
    expect([await phone.round(), phone.entries]).toEqual(['login', [entry(1, 8421)]]);
    expect([await phone.round(), phone.entries]).toEqual(['done', []]);
    expect(service.executed).toMatchObject([{ key: 'key-1' }]);
  });

  it('sends only what the user of the login has done', async () => {
    const service = new Service([]);
    const phone = new Phone([entry(1, 8421), entry(2, 7000, { by: 'lee' })], service);
    expect(await phone.round()).toBe('waits');
    expect([phone.applied, phone.entries]).toEqual([[8421], [entry(2, 7000, { by: 'lee' })]]);
  });

  it('an accepted action that the service has lost is sent again with its key', async () => {
    const service = new Service(['open']);
    const phone = new Phone([entry(1, 8421), entry(2, 8421)], service);
    await phone.round();
    expect(phone.entries[0]).toMatchObject({ state: 'open' });
    service.loseState();
    for (let rounds = 0; rounds < 2; rounds++) await phone.round();
    expect(phone.entries).toEqual([]);
    expect(service.executed.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-2']);
  });

  it('what one reservation waits for delays no other', async () => {
    const service = new Service(['no time', 'applied']);
    const phone = new Phone([entry(1, 8421), entry(2, 8421), entry(3, 7000)], service);
    expect(await phone.round()).toBe('waits');
    expect(phone.entries.map(({ order, state }) => [order, state])).toEqual([
      [1, 'lost'],
      [2, 'waiting'],
    ]);
  });

  it('a page that was closed while it sent sends the same key again', async () => {
    const service = new Service(['closed after it arrived']);
    const phone = new Phone([entry(1, 8421)], service);
    expect([await phone.round(), phone.entries[0]?.state]).toEqual(['closed', 'sending']);
    expect([await phone.round(), service.executed.length]).toEqual(['done', 1]);
  });
});

it('the next entry is the first of its reservation', () => {
  const rejected = entry(1, 8421, { state: 'rejected' });
  const all = [entry(4, 7000), rejected, entry(2, 8421), entry(3, 9000)];
  expect(nextEntry(all, 'kim', new Set())).toMatchObject({ order: 3 });
  expect(nextEntry(all, 'kim', new Set([9000]))).toMatchObject({ order: 4 });
  expect(nextEntry(all, 'kim', new Set([9000, 7000]))).toBeNull();
  expect(nextEntry(all, 'lee', new Set())).toBeNull();
});

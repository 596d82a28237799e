import { signal } from '@preact/signals';
import { receive } from '../api/client.js';
import type { Endpoint, Request, WriteEndpoint } from '../api/endpoints.js';
import { mayHaveRun, outcomeOf, readAnswer } from '../api/read-answer.js';
import type { Command, Problem, Reservation } from '../api/types.js';
import { Cache } from './cache.js';
import { useCached } from './use-cached.js';

/** What is known of a write, shown in place where it was requested. */
export type Outcome =
  | { is: 'idle' }
  | { is: 'sending' }
  | { is: 'applied' }
  | { is: 'rejected'; problem: Problem }
  /** 202: it is accepted, and its outcome is not known yet. Null: the answer is not a command, and the form states what is awaited. */
  | { is: 'open'; command: Pick<Command, 'outcome' | 'code'> | null }
  /** No outcome arrived; with the problem that the service stated. It may be sent again. `mayHaveRun`: one of its attempts may have been executed. */
  | { is: 'lost'; problem?: Problem; mayHaveRun: boolean };

/**
 * One write of the user. Its idempotency key exists from the moment that its form opens until there is an outcome, so
 * sending it again, also after a lost answer, acts once. A form that is closed before keeps it.
 */
export class Write {
  readonly outcome = signal<Outcome>({ is: 'idle' });
  key = newKey();
  /** The fields of its form, from when it is sent until it is applied. */
  sent: FormData | null = null;
  /** Sends the same request once more. */
  private request: ((before: Outcome) => Promise<void>) | undefined;
  /** Of the reservation that was the answer. */
  private appliedSequence = 0;

  /** Nothing is sent while a request is on its way, or after an outcome that stands. */
  get isBusy(): boolean {
    return ['sending', 'applied', 'open'].includes(this.outcome.value.is);
  }

  /** It was sent, and another reading may show its outcome. */
  get isAwaited(): boolean {
    return ['open', 'lost'].includes(this.outcome.value.is);
  }

  /** It was sent, and its outcome is not known. */
  get isPending(): boolean {
    return this.outcome.value.is === 'sending' || this.isAwaited;
  }

  /** Whether what is shown includes this write's effect, so that the same step is another one. */
  isBefore(sequence: number): boolean {
    return this.outcome.value.is === 'applied' && sequence > this.appliedSequence;
  }

  /** Sends it, once its body is there; `onApplied` gets the answer where it was applied. */
  async send<Applied, Open>(
    endpoint: WriteEndpoint<Applied, Open>,
    request: Request,
    onApplied: (answer: Applied) => void = () => {},
  ): Promise<void> {
    if (this.isBusy) return;
    // a refused key stands for the refused request: what follows is another one
    if (this.outcome.value.is === 'rejected') this.key = newKey();
    const before = this.outcome.value;
    this.outcome.value = { is: 'sending' };
    // a photo is made small first
    const body = await request.body;
    this.request = (was) => this.attempt(endpoint, { ...request, body, key: this.key }, onApplied, was);
    await this.request(before);
  }

  /** After a lost answer: the same request with the same key. */
  async repeat(): Promise<void> {
    const before = this.outcome.value;
    if (before.is === 'lost') await this.request?.(before);
  }

  private async attempt<Applied, Open>(
    endpoint: WriteEndpoint<Applied, Open>,
    request: Request,
    onApplied: (answer: Applied) => void,
    before: Outcome,
  ): Promise<void> {
    this.outcome.value = { is: 'sending' };
    const answer = readAnswer(endpoint, request, await receive(endpoint, request));
    if (answer.is === 'applied') {
      this.apply((answer.body as { sequence?: number }).sequence);
      onApplied(answer.body);
    } else if (answer.is === 'open') this.outcome.value = { is: 'open', command: commandOf(answer.body) };
    else if (answer.is === 'rejected') this.outcome.value = answer;
    // not the request, the login was refused: what was known of it before still is
    else if (answer.is === 'login') this.outcome.value = before;
    else {
      const problem = answer.is === 'lost' ? answer.problem : undefined;
      const mayRun = (before.is === 'lost' && before.mayHaveRun) || mayHaveRun(problem);
      this.outcome.value = { is: 'lost', mayHaveRun: mayRun, ...(problem && { problem }) };
    }
  }

  /** The outcome of what was open, as another reading shows it. */
  conclude(outcome: Extract<Outcome, { is: 'applied' | 'rejected' }>): void {
    if (!this.isAwaited) return;
    if (outcome.is === 'applied') this.apply();
    else this.outcome.value = outcome;
  }

  private apply(sequence = 0): void {
    this.appliedSequence = sequence;
    this.sent = null;
    // it may have a photo
    this.request = undefined;
    this.outcome.value = { is: 'applied' };
  }

  /** The command's outcome as the reservation shows it meanwhile. */
  follow(reservation: Pick<Reservation, 'commands' | 'sequence'>): void {
    if (!this.isAwaited) return;
    const shown = outcomeOf(this.key, reservation);
    if (shown.is === 'applied') this.apply(reservation.sequence);
    else if (shown.is === 'rejected') this.outcome.value = shown;
    else if (shown.is === 'open') this.outcome.value = { is: 'open', command: shown.body };
  }

  /** A new form: another key. */
  reset(): void {
    this.key = newKey();
    this.sent = null;
    this.outcome.value = { is: 'idle' };
  }
}

function commandOf(body: unknown): Pick<Command, 'outcome' | 'code'> | null {
  const { outcome } = body as Partial<Command>;
  return outcome === undefined ? null : (body as Command);
}

/** Without a final outcome it stays: another key would be another request. */
const writes = new Cache<Write>(500, ({ isPending }) => !isPending);

/** The write of a button that may leave the screen and return, such as a row's next step. */
export function useNamedWrite(name: string): Write {
  return useCached(writes, name, () => new Write());
}

/**
 * The write of a form, which finds it again when it is closed and opened before there is an outcome.
 * @param about what it writes on, where the path does not have it too
 */
export function useFormWrite({ method, path }: Endpoint<unknown>, about: object = {}): Write {
  return useNamedWrite(`${method} ${path} ${JSON.stringify(about)}`);
}

/** `randomUUID` exists on secure pages alone. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ApiError, type Request, send } from '../api/client.js';
import type { Endpoint } from '../api/endpoints.js';
import type { Command, Problem } from '../api/types.js';

/** What is known of a write, shown in place where it was requested. */
export type Outcome =
  | { is: 'idle' }
  | { is: 'sending' }
  | { is: 'applied' }
  | { is: 'rejected'; problem: Problem | null }
  /** 202: the command is accepted, and its outcome is not known yet. */
  | { is: 'open'; command: Command }
  /** No answer arrived: it may have been executed. */
  | { is: 'lost' };

/**
 * One write of the user. Its idempotency key exists from the moment that its form opens until there is an outcome, so
 * sending it again, also after a lost answer, acts once.
 */
export class Write {
  readonly outcome = signal<Outcome>({ is: 'idle' });
  key = newKey();

  /** Nothing is sent while a request is on its way, or after an outcome that stands. */
  get isBusy(): boolean {
    return ['sending', 'applied', 'open'].includes(this.outcome.value.is);
  }

  /** Sends it. @returns the answer's body where it was applied */
  async send<Answer>(endpoint: Endpoint<Answer>, request: Request): Promise<Answer | undefined> {
    if (this.isBusy) return undefined;
    // a refused key stands for the refused request: what follows is another one
    if (this.outcome.value.is === 'rejected') this.key = newKey();
    this.outcome.value = { is: 'sending' };
    try {
      const { status, body } = await send(endpoint, { ...request, key: this.key });
      this.outcome.value = status === 202 ? { is: 'open', command: body as Command } : { is: 'applied' };
      return status === 202 ? undefined : body;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.outcome.value = error.isOpen ? { is: 'lost' } : { is: 'rejected', problem: error.problem };
      // not the request, the login was refused: it has no outcome
      if (error.status === 401) this.outcome.value = { is: 'idle' };
      return undefined;
    }
  }

  /** The command's outcome as the reservation shows it meanwhile. */
  follow(commands: readonly Command[]): void {
    const command = commands.find(({ commandId }) => commandId === this.key);
    const { is } = this.outcome.value;
    if (command === undefined || (is !== 'open' && is !== 'lost')) return;
    if (command.outcome === 'applied') this.outcome.value = { is: 'applied' };
    else if (command.outcome === 'rejected')
      this.outcome.value = { is: 'rejected', problem: refusalOf(command) };
    else this.outcome.value = { is: 'open', command };
  }

  /** A new form: another key. */
  reset(): void {
    this.key = newKey();
    this.outcome.value = { is: 'idle' };
  }
}

function refusalOf({ code, message }: Command): Problem {
  return { code: code ?? 'REFUSED', detail: message ?? '', title: '', status: 409 } as Problem;
}

/** The write of a form, for as long as the form is open. */
export function useWrite(): Write {
  return useState(() => new Write())[0];
}

const writes = new Map<string, Write>();

/** The write of a button that may leave the screen and return, such as a row's next step. */
export function writeOf(name: string): Write {
  const known = writes.get(name);
  if (known !== undefined) return known;
  const added = new Write();
  writes.set(name, added);
  return added;
}

/** `randomUUID` exists on secure pages alone. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

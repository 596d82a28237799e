export {
  attemptExpiredCode,
  attemptNotRecordedCode,
  notSentCodes,
  notStartedCode,
} from '../domain/shared/not-sent.js';

/**
 * What one request to the platform met (L30). The message is ours; `platformMessage` is the
 * platform's own text, declared free of personal data, for who sent the command.
 */
export type Attempt<T> =
  | { kind: 'done'; value: T }
  /** 429, or a connection that never opened: it was not sent. */
  | { kind: 'wait'; code: string; retryAfterMs?: number }
  /** The role's key is refused, or known to be: it was not done. */
  | { kind: 'suspended'; code: string }
  | { kind: 'refused'; code: string; message: string; platformMessage?: string }
  /** It may have happened. `message`: there was an answer, and why it cannot be read; absent: there was none. */
  | { kind: 'unknown'; code: string; message?: string };

/** How a request ended after all waiting. */
export type Ended<T> = Extract<Attempt<T>, { kind: 'done' | 'refused' | 'unknown' }>;

/** Which attempt of which command a request to the platform is: no other run sends it again. */
export interface AttemptId {
  /** Business identity of the command, such as `17:dispatch.start:{commandId}`; never personal data. */
  command: string;
  /** Tells the attempts of the command apart; one that was held back before it left is followed by another. */
  attempt: string;
  /** The run whose history this one continues: its own id, unless it was reset. */
  originalRunId: string;
}

/**
 * Milliseconds that a request to the platform waits for a worker at most. One that no worker began by then is not sent later: the
 * workflow decides again (L20).
 */
export const startWithinMs = 15_000;

/** Code of an attempt that may have been sent by another run, before a reset or a failover of the namespace. */
export const runLostCode = 'RUN_LOST';

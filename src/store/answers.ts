import { and, eq } from 'drizzle-orm';
import type { HandoverDb } from './handover.js';
import { answers } from './schema.js';
import type { KeyedHashes } from './sealing/keyed-hashes.js';

/** A write of a person that is stored in this database alone. */
interface KeyedRequest {
  /** The Idempotency-Key; absent: each request acts. */
  commandId?: string | undefined;
  /** As in the audit. */
  action: string;
  /** What identifies the request; stored as a keyed hash. */
  content: unknown;
}

/** The first answers to requests, by their keys (L21). `reused`: the key stands for another request. */
export interface Answers {
  /** Undefined: nothing has been answered. */
  read<T>(request: KeyedRequest): Promise<T | 'reused' | undefined>;
  /**
   * Writes once, in the transaction `tx` of the write; what follows with the same key gets the first answer. A write that does
   * nothing (`isDone`) may be requested again.
   */
  once<T>(
    tx: Pick<HandoverDb, 'select' | 'insert' | 'update' | 'delete'>,
    request: KeyedRequest,
    write: () => Promise<T>,
    isDone: (answer: T) => boolean,
  ): Promise<T | 'reused'>;
}

export function createAnswers(db: HandoverDb, hashes: KeyedHashes): Answers {
  const hashesOf = ({ content }: KeyedRequest) => hashes(JSON.stringify(content));
  const read = async <T>(from: Pick<HandoverDb, 'select'>, request: KeyedRequest) => {
    const { commandId, action } = request;
    if (commandId === undefined) return undefined;
    const [found] = await from.select().from(answers).where(isOf(action, commandId));
    if (found === undefined) return undefined;
    return hashesOf(request).includes(found.request) ? (found.answer as T) : 'reused';
  };
  return {
    read: (request) => read(db, request),
    async once<T>(
      tx: Pick<HandoverDb, 'select' | 'insert' | 'update' | 'delete'>,
      request: KeyedRequest,
      write: () => Promise<T>,
      isDone: (answer: T) => boolean,
    ) {
      const { commandId, action } = request;
      if (commandId === undefined) return write();
      const [hash = ''] = hashesOf(request);
      // another request with this key waits here until this one has its answer
      const [first] = await tx
        .insert(answers)
        .values({ action, commandId, request: hash, answer: null })
        .onConflictDoNothing()
        .returning();
      if (first === undefined) {
        const earlier = await read<T>(tx, request);
        if (earlier === undefined) throw new Error('an answer is never deleted');
        return earlier;
      }
      const answer = await write();
      if (isDone(answer)) await tx.update(answers).set({ answer }).where(isOf(action, commandId));
      else await tx.delete(answers).where(isOf(action, commandId));
      return answer;
    },
  };
}

const isOf = (action: string, commandId: string) =>
  and(eq(answers.action, action), eq(answers.commandId, commandId));

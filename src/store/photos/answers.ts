import { within } from '../connection/within.js';

const answerWithinMs = 20_000;

/** The photo store refuses, is silent or is full: nothing is sent. Its `cause` is for logs of the caller's own choice. */
export class PhotoStoreError extends Error {
  override readonly name = 'PhotoStoreError';
  constructor(options?: ErrorOptions) {
    super('the photo store gave no answer', options);
  }
}

/** Waits for the photo store no longer than a person does. @throws PhotoStoreError */
export async function answerOf<T>(work: Promise<T>): Promise<T> {
  try {
    return await within(answerWithinMs, work);
  } catch (cause) {
    throw new PhotoStoreError({ cause });
  }
}

/** A post that is refused for so long becomes a dead letter, and the posts behind it continue. Milliseconds. */
export const refusedAtMostMs = 10 * 60_000;

/** What an attempt's code says of the moment alone: the same post may be taken a little later. */
const ofTheMoment = ['HTTP_408', 'HTTP_425', 'HTTP_429'];
/** Of the address or the key, and so of every post alike. */
const ofTheReceiver = ['HTTP_401', 'HTTP_403', 'HTTP_404', 'HTTP_405', 'HTTP_410'];

/** The receiver answered, and does not take this post. */
export function isRefusal(code: string): boolean {
  return /^HTTP_4\d\d$/.test(code) && !ofTheMoment.includes(code);
}

/** The receiver is there, and does not want this one post: no sign that it is down. */
export function isOfThePost(code: string): boolean {
  return isRefusal(code) && !ofTheReceiver.includes(code);
}

/**
 * Whether a post is given up. Where the code may be about all posts alike (a wrong address or key), only if the receiver took
 * another one meanwhile: else all would be given up, for a cause that an operator removes.
 * @param refusedForMs since its first refusal
 * @param acceptedAgoMs since the receiver took one; Infinity: it never did
 */
export function isGivenUp(code: string, refusedForMs: number, acceptedAgoMs: number): boolean {
  if (!isRefusal(code) || refusedForMs < refusedAtMostMs) return false;
  return isOfThePost(code) || acceptedAgoMs < refusedForMs;
}

const unreadable = ['CODEC_PAYLOAD_DAMAGED', 'UNREADABLE'];

/** The stored body cannot be decrypted, and no attempt changes that. A key that is missing may still be added. */
export function isUnreadable(code: string): boolean {
  return unreadable.includes(code);
}

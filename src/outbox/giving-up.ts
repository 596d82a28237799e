/** A post that is refused for so long becomes a dead letter, and the posts behind it continue. Milliseconds. */
export const refusedAtMostMs = 10 * 60_000;

/** Codes of a temporary condition: the same post may be accepted a little later. */
const ofTheMoment = ['HTTP_408', 'HTTP_425', 'HTTP_429'];
/** Codes of a wrong address or key, which concern every post alike. */
const ofTheReceiver = ['HTTP_401', 'HTTP_403', 'HTTP_404', 'HTTP_405', 'HTTP_410'];

/** The receiver answered, and refuses the post. */
export function isRefusal(code: string): boolean {
  return /^HTTP_4\d\d$/.test(code) && !ofTheMoment.includes(code);
}

/** The receiver refuses this one post: no sign that it is down. */
export function isOfThePost(code: string): boolean {
  return isRefusal(code) && !ofTheReceiver.includes(code);
}

/**
 * Whether a post is given up. Where the code may concern all posts (a wrong address or key), only if the receiver accepted
 * another one meanwhile: otherwise all posts would be given up for a cause that an operator can remove.
 * @param refusedForMs since its first refusal
 * @param acceptedAgoMs since the receiver accepted one; Infinity: it never did
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

/** Code of an attempt that no worker began in time: it was not sent. */
export const notStartedCode = 'NOT_STARTED';
/** Code of an attempt that its worker received too late, or had no time left for: it was not sent. */
export const attemptExpiredCode = 'ATTEMPT_EXPIRED';
/** Code of an attempt of a reset run while the database cannot record it: it was not sent. */
export const attemptNotRecordedCode = 'ATTEMPT_NOT_RECORDED';
/** Codes of attempts that Handover itself held back: certainly not sent, and it may be tried again. */
export const notSentCodes: readonly string[] = [notStartedCode, attemptExpiredCode, attemptNotRecordedCode];

/**
 * One of each kind of story that the demo does not play: the fast lane plays these, the long lane all others; the suite
 * replays the histories of all.
 */
export const representative = [
  'answer-lost',
  'cancelled-during-dispatch',
  'disorder',
  'key-revoked',
  'late-return',
  'no-show-contradicted',
  'recall-with-a-note',
];

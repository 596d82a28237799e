/** One of each kind of story: the fast lane plays these, the long lane all others; the suite replays the histories of all. */
export const representative = [
  'answer-lost',
  'cancelled-during-dispatch',
  'disorder',
  'key-revoked',
  'late-return',
  'no-show-contradicted',
  'normal-rental',
  'recall-with-a-note',
];

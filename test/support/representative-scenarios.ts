/** One of each kind of story: the fast lane plays these, the long lane all others; the suite replays the histories of all. */
export const representative = [
  'answer-lost',
  'cancelled-during-dispatch',
  'disorder',
  'key-revoked',
  'late-return',
  'late-return-endangers-the-next',
  'no-show-contradicted',
  'normal-rental',
  'recall-with-a-note',
  'web-site-acted',
];

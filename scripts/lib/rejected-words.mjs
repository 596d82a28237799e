/** Words that a reader may misunderstand, each with plain words to use instead. */
export const rejected = [
  [/\b(?:tell|tells|told|telling)\b/g, 'notify, record, report, distinguish'],
  [/\b(?:hear|hears|heard)\b/g, 'receive'],
  [/\b(?:nobody|somebody|anybody|whoever)\b/g, 'no worker, another process, an operator, staff'],
  [/\b(?:go|goes|going|went) on\b|\bstands? still\b/g, 'continues, is blocked'],
  [/\blets? go\b|\b(?:take|takes|taken|taking|took) in\b/g, 'deleted, applied'],
  [/\bma(?:ke|kes|king|de) (?:way|room)\b/g, 'shed load'],
  [/\blook(?:s|ed|ing)? again\b/g, 'poll, read again'],
  [/\bpress(?:es|ed|ing)?\b/g, 'command, request, wake-up'],
  [/\b(?:bells?|askers?|patience)\b/g, 'wake-up, pending updates, retry window'],
  [/\b(?:foresees?|foreseen|rush|rushes)\b/g, 'preview, overload'],
  [/\bstand-ins?\b|\bdesks?\b/g, 'standby, service'],
  [/\bfold(?:s|ed|ing)?\b/g, 'purge, deduplicate'],
  [/\balarms?\b/g, 'deadline timer, alert'],
  [/\banew\b/g, 'again, from the start'],
  [/\bwhose word\b|\bha(?:s|ve|d) it read\b/g, 'source, replay'],
];

/** The same within texts in quotes, which a user may read; comments and names may use them. */
export const rejectedInTexts = [[/\blook(?:s|ed|ing)? (?:at|into|for)\b/g, 'read, check, search for']];

/** Words that also have a plain use, so they are counted and not rejected. */
export const counted =
  /\b(?:say|says|said|words?|keep|keeps|kept|look|looks|looked|taken|lines?|ask|asks|asked|settles?|settled|windows?|danger|people)\b/g;

/** Names that cannot change, because histories, tables or the API contain them. */
export const contractNames = [
  // activities, and a query
  /\btellReservations?\b/g,
  /(?<=previewQuery = )'foresee'/g,
  // claims in the state that a run passes to the next
  /\bheardAt\b/g,
  // result of the reconciliation workflow
  /\btold(?=: (?:\d|number|changed|notified|this)\b)|(?<=result\.)told\b/g,
  // columns
  /(?<=text\()'told'|\bset told\b|\btold_at\b/g,
  // field of a replay's preview in the status API
  /\bforeseen\b/g,
  // methods of Playwright
  /(?<=keyboard\.)press\b/g,
  // user of Unix systems
  /'nobody'|\buser nobody\b/g,
];

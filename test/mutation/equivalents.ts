/** Mutants that no test can detect, for they change nothing that the domain's callers see. */
export const equivalents: readonly { file: string; original: string; mutated: string; reason: string }[] = [
  {
    file: 'src/domain/hold/commands.ts',
    original: "sale: { products: [], scan: 'idle', begun: false, isOurTurn: false, askAt: 0 },",
    mutated: "sale: { products: [], scan: 'idle', begun: false, isOurTurn: false, askAt: 1 },",
    reason: 'both are long past',
  },
  {
    file: 'src/domain/hold/sale.ts',
    original: "return { do: 'wait', until: Math.min(...asking.map(({ lookAt = 0 }) => lookAt)) };",
    mutated: "return { do: 'wait', until: Math.min(...asking.map(({ lookAt = 1 }) => lookAt)) };",
    reason: 'one without a moment is ready, and the function has returned before',
  },
  {
    file: 'src/domain/hold/sale.ts',
    original:
      'const ready = asking.filter(({ lookAt = 0 }) => lookAt <= now).map(({ productId }) => productId);',
    mutated:
      'const ready = asking.filter(({ lookAt = 1 }) => lookAt <= now).map(({ productId }) => productId);',
    reason: 'both are long past',
  },
  {
    file: 'src/domain/hold/entry/next-step.ts',
    original: 'return Math.floor((leaving?.at ?? 0) / 1000) * 1000;',
    mutated: 'return Math.floor((leaving?.at ?? 1) / 1000) * 1000;',
    reason: 'only a hold that is being undone is shortened, and the part of a second is cut',
  },
  {
    file: 'src/domain/hold/entry/changing.ts',
    original: "{ ...state, checked: true, entry: { kind: 'gone', scheduleId: entry.scheduleId } },",
    mutated: "{ ...state, checked: false, entry: { kind: 'gone', scheduleId: entry.scheduleId } },",
    reason: 'an entry that is gone is never read again',
  },
  {
    file: 'src/domain/reservation/recall-note.ts',
    original:
      'const due = state.notes?.find((one) => !isOver(one) && (one.nextTryAt ?? 0) <= state.lookedAt);',
    mutated:
      'const due = state.notes?.find((one) => !isOver(one) && (one.nextTryAt ?? 1) <= state.lookedAt);',
    reason: 'both are long past',
  },
  {
    file: 'src/domain/reservation/assertion.ts',
    original:
      'fact !== null && rank(fact.rung) > rank(status) ? [name, { ...fact, rung: status }] : [name, fact],',
    mutated:
      'fact !== null && rank(fact.rung) >= rank(status) ? [name, { ...fact, rung: status }] : [name, fact],',
    reason: 'a fact of the same rank has this rung',
  },
  {
    file: 'src/domain/reservation/assertion.ts',
    original: 'return fact !== null && rank(fact.rung) > rank(present) ? fact.rung : present;',
    mutated: 'return fact !== null && rank(fact.rung) >= rank(present) ? fact.rung : present;',
    reason: 'a rung of the same rank is the same',
  },
  {
    file: 'src/domain/shared/hash.ts',
    original: '.sort(([a], [b]) => (a < b ? -1 : 1))',
    mutated: '.sort(([a], [b]) => (a <= b ? -1 : 1))',
    reason: 'no two fields of an object have one name',
  },
  {
    file: 'src/domain/reservation/statuses.ts',
    original: '(top, code) => (top === null || rank(code) > rank(top) ? code : top),',
    mutated: '(top, code) => (top === null || rank(code) >= rank(top) ? code : top),',
    reason: 'no two statuses have one rank',
  },
  {
    file: 'src/domain/reservation/bounds.ts',
    original: 'for (let i = 0; i < text.length; i++) {',
    mutated: 'for (let i = 1; i < text.length; i++) {',
    reason: 'the first letter of JSON is of ASCII',
  },
  {
    file: 'src/domain/reservation/bounds.ts',
    original: 'for (let i = 0; i < text.length; i++) {',
    mutated: 'for (let i = 0; i <= text.length; i++) {',
    reason: 'after the last letter is none, and NaN is greater than nothing',
  },
  {
    file: 'src/domain/reservation/bounds.ts',
    original: 'const fewestLetters = 8;',
    mutated: 'const fewestLetters = 9;',
    reason: 'halved, 1,000 becomes 15 and then 7',
  },
  {
    file: 'src/domain/reservation/bounds.ts',
    original: 'while (bytesOf(shorter) > most && letters > fewestLetters) {',
    mutated: 'while (bytesOf(shorter) > most && letters >= fewestLetters) {',
    reason: 'halved, 1,000 becomes 15 and then 7',
  },
  {
    file: 'src/domain/reservation/facts.ts',
    original: 'if (only !== undefined && rival === undefined) return believe(only, fact, []);',
    mutated: ';',
    reason: 'a shortcut: a value without a rival is the newest, and not in doubt',
  },
  {
    file: 'src/domain/reconciliation/match.ts',
    original: '?.find((one) => this.isOpen(one) && entry.end <= one.period.end);',
    mutated: '?.find((one) => this.isOpen(one) && entry.end < one.period.end);',
    reason: 'an entry with the whole period of an open reservation of its car was matched before',
  },
];

import { type Expression, parseSync } from '@swc/core';

/** The titles of a test file's suites and tests that run, as they are written: `it('…')`, `describe.each(table)('…')`. */
export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }), (call) => {
    if (!namesTest(call.callee)) return 'within';
    if (!runs(call)) return 'past';
    const [first] = call.arguments;
    if (first !== undefined) titles.push(textOf(first.expression));
    return 'within';
  });
  return titles.filter((title) => title !== '');
}

interface Call {
  type: 'CallExpression';
  callee: Expression;
  arguments: { expression: Expression }[];
}

/** @param onCall returns whether to read what is within the call, too */
function visit(node: unknown, onCall: (call: Call) => 'within' | 'past'): void {
  if (node === null || typeof node !== 'object') return;
  if ('type' in node && node.type === 'CallExpression' && onCall(node as Call) === 'past') return;
  for (const part of Object.values(node)) visit(part, onCall);
}

/** `it`, `it.runIf(…)`, `it.each(…)`. */
function namesTest(callee: Expression): boolean {
  return ['it', 'test', 'describe'].includes(chainOf(callee)[0] ?? '');
}

/** Proves nothing: a skipped test or suite, one that is still to be written, and one that has to fail. */
const unproven = ['skip', 'todo', 'fails'];

function runs({ callee, arguments: [, options] }: Call): boolean {
  return ![...chainOf(callee), ...namesOf(options?.expression)].some((name) => unproven.includes(name));
}

/** The names of an object of options: `it('…', { skip: true }, …)`. */
function namesOf(options: Expression | undefined): string[] {
  if (options?.type !== 'ObjectExpression') return [];
  return options.properties.flatMap((property) =>
    property.type === 'KeyValueProperty' && property.key.type === 'Identifier' ? [property.key.value] : [],
  );
}

/** The names of a callee from its first: `it.skip.each(…)` is `it`, `skip`, `each`. */
function chainOf(callee: Expression): string[] {
  if (callee.type === 'Identifier') return [callee.value];
  if (callee.type === 'CallExpression') return chainOf(callee.callee as Expression);
  if (callee.type !== 'MemberExpression') return [];
  return [...chainOf(callee.object), callee.property.type === 'Identifier' ? callee.property.value : ''];
}

function textOf(value: Expression): string {
  if (value.type === 'StringLiteral') return value.value;
  return value.type === 'TemplateLiteral' ? value.quasis.map(({ raw }) => raw).join(' ') : '';
}

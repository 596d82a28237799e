import { type Expression, parseSync } from '@swc/core';

/** The titles of a test file's suites and tests, as they are written: `it('…')`, `describe.each(table)('…')`. */
export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }), (call) => {
    const [first] = call.arguments;
    if (first !== undefined && namesTest(call.callee)) titles.push(textOf(first.expression));
  });
  return titles.filter((title) => title !== '');
}

interface Call {
  type: 'CallExpression';
  callee: Expression;
  arguments: { expression: Expression }[];
}

function visit(node: unknown, onCall: (call: Call) => void): void {
  if (node === null || typeof node !== 'object') return;
  if ('type' in node && node.type === 'CallExpression') onCall(node as Call);
  for (const part of Object.values(node)) visit(part, onCall);
}

/** `it`, `it.only`, `it.each(…)`. */
function namesTest(callee: Expression): boolean {
  if (callee.type === 'Identifier') return ['it', 'test', 'describe'].includes(callee.value);
  if (callee.type === 'MemberExpression') return namesTest(callee.object);
  return (
    callee.type === 'CallExpression' &&
    callee.callee.type !== 'Import' &&
    callee.callee.type !== 'Super' &&
    namesTest(callee.callee)
  );
}

function textOf(value: Expression): string {
  if (value.type === 'StringLiteral') return value.value;
  return value.type === 'TemplateLiteral' ? value.quasis.map(({ raw }) => raw).join(' ') : '';
}

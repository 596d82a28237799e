import { parseSync } from '@swc/core';

/** One small change of one place of a source. */
export interface Mutant {
  /** Relative to the tree. */
  file: string;
  line: number;
  /** The lines that change, before and after, without indentation and line breaks. */
  original: string;
  mutated: string;
  /** The whole file with the change. */
  text: string;
}

interface Node {
  type: string;
  span: { start: number; end: number };
}
type Fields = Node & Record<string, unknown>;
interface Edit {
  at: Node;
  by: string;
}

const swaps: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
};
const otherMethod: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};
/** Without the call their object is left. */
const dropped: readonly string[] = ['filter', 'sort', 'toSorted', 'slice', 'reverse', 'toReversed'];
const takesCondition: readonly string[] = ['filter', 'some', 'every', 'find', 'findLast', 'findIndex'];
const choices: readonly string[] = ['IfStatement', 'ConditionalExpression', 'BinaryExpression'];
/** Conditions with mutants of their own. */
const decided: readonly string[] = [
  'BinaryExpression',
  'BooleanLiteral',
  'ParenthesisExpression',
  'UnaryExpression',
];

/** Every mutant of a source. Of texts for people (`texts`) only the choice between them is a decision. */
export function mutantsOf(file: string, source: string, { texts = false } = {}): Mutant[] {
  const bytes = Buffer.from(`;${source}`);
  const module = parseSync(`;${source}`, { syntax: 'typescript', target: 'es2022' });
  // positions count on from what the process parsed before
  const base = module.body[0]?.span.start ?? 0;
  const slice = ({ span }: Node) => bytes.subarray(span.start - base, span.end - base).toString();
  return [...nodesOf(module)]
    .flatMap(({ node, returns }) =>
      editsOf(node, slice, { texts, returns }).map(({ at, by }) => {
        const before = bytes.subarray(1, at.span.start - base).toString();
        const after = bytes.subarray(at.span.end - base).toString();
        const from = before.lastIndexOf('\n') + 1;
        const rest = after.indexOf('\n') === -1 ? after.length : after.indexOf('\n');
        const lineWith = (text: string) =>
          (before.slice(from) + text + after.slice(0, rest)).replace(/\s+/g, ' ').trim();
        return {
          file,
          line: before.split('\n').length,
          original: lineWith(slice(at)),
          mutated: lineWith(by),
          text: before + by + after,
        };
      }),
    )
    .filter(({ text }) => text !== source);
}

/** All expressions and statements, without types, imports and names of properties; with the type that their function states. */
function* nodesOf(value: unknown, returns?: Node): Generator<{ node: Fields; returns: Node | undefined }> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') {
    if (value.type === 'ImportDeclaration') return;
    if (value.type.startsWith('Ts') && !('expression' in value)) return;
    yield { node: value as Fields, returns: returnTypeOf(value, returns) };
  }
  const left = isSign(value) ? ['consequent', 'alternate'] : [];
  for (const [name, child] of Object.entries(value)) {
    if (![...notDecided, ...left].includes(name)) yield* nodesOf(child, returnTypeOf(value, returns));
  }
}

/** A function has its own, or none that is stated; any other node that of the function around it. */
function returnTypeOf(value: object, around: Node | undefined): Node | undefined {
  return 'returnType' in value ? ((value.returnType as Node | null) ?? undefined) : around;
}
const notDecided: readonly string[] = ['key', 'typeAnnotation', 'source'];

/** The answer of a comparison for `sort`, `-1` or `1`: its sign alone counts. */
function isSign(node: object): boolean {
  const { consequent, alternate } = node as { consequent?: Fields; alternate?: Fields };
  return consequent?.type === 'UnaryExpression' && alternate?.type === 'NumericLiteral';
}

function editsOf(
  node: Fields,
  text: (node: Node) => string,
  { texts, returns }: { texts: boolean; returns: Node | undefined },
): Edit[] {
  const negated = (at: Node): Edit[] => (decided.includes(at.type) ? [] : [{ at, by: `!(${text(at)})` }]);
  const by = (...texts: string[]) => texts.map((one) => ({ at: node, by: one }));
  const child = (name: string) => node[name] as Fields;
  // only what the stated type allows
  const nothing =
    returns === undefined
      ? ['undefined']
      : ['undefined', 'null'].filter((one) => text(returns).includes(one));
  if (texts && !choices.includes(node.type)) return [];
  switch (node.type) {
    case 'IfStatement':
      return [...negated(child('test')), ...(node.alternate == null ? by(';') : [])];
    case 'ConditionalExpression':
    case 'WhileStatement':
      return negated(child('test'));
    case 'BinaryExpression': {
      const [left, right] = [child('left'), child('right')];
      const operator = node.operator as string;
      if (operator === '??') return by(text(left), text(right));
      const swapped = (swaps[operator] ?? []).map((one) => `${text(left)} ${one} ${text(right)}`);
      const operands = operator === '&&' || operator === '||' ? [left, right] : [];
      return [...by(...swapped), ...operands.flatMap(negated)];
    }
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? by(text(child('argument'))) : [];
    case 'CallExpression':
      return editsOfCall(node, text);
    case 'ExpressionStatement':
      return by(';');
    case 'ReturnStatement':
      return node.argument == null ? [] : by(...nothing.map((one) => `return ${one};`));
    case 'ArrowFunctionExpression':
      return child('body').type === 'BlockStatement'
        ? []
        : nothing.map((one) => ({ at: child('body'), by: one }));
    case 'NumericLiteral':
      return by(`${(node.value as number) + 1}`);
    case 'BooleanLiteral':
      return by(`${!node.value}`);
    case 'StringLiteral':
      // one with a space is a text for people
      return /^$| /.test(node.value as string) ? [] : by("''");
    case 'ArrayExpression':
      return (node.elements as unknown[]).length === 0 ? [] : by('[]');
    default:
      return [];
  }
}

function editsOfCall(node: Fields, text: (node: Node) => string): Edit[] {
  const callee = node.callee as Fields;
  const first = (node.arguments as { expression: Fields }[])[0]?.expression;
  if (first === undefined) return [];
  if (callee.type !== 'MemberExpression') return [{ at: node, by: text(first) }];
  const [object, property] = [callee.object as Fields, callee.property as Fields];
  const method = text(property);
  const other = otherMethod[method];
  const body = first.type === 'ArrowFunctionExpression' ? (first.body as Fields) : undefined;
  const isCondition =
    takesCondition.includes(method) &&
    body !== undefined &&
    body.type !== 'BlockStatement' &&
    !decided.includes(body.type);
  return [
    ...(other === undefined ? [] : [{ at: property, by: other }]),
    ...(dropped.includes(method) ? [{ at: node, by: text(object) }] : []),
    ...(isCondition ? [{ at: body, by: `!(${text(body)})` }] : []),
  ];
}

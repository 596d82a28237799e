import {
  type CallExpression,
  type Declaration,
  type Expression,
  type ModuleItem,
  parseSync,
  type TsType,
} from '@swc/core';

/** What they return is frozen, a definition of the SDK, or made of functions alone. */
const harmlessCalls: ReadonlySet<string> = new Set([
  'Object.freeze',
  'defineQuery',
  'defineSearchAttributeKey',
  'defineSignal',
  'defineUpdate',
  'onDatabaseQueue',
  'retryUntilDone',
  'proxyActivities',
  'proxyLocalActivities',
  'proxySinks',
  'withBackoff',
]);

/**
 * The names of module-level values that code could change: `let`, `var`, regular expressions with a position, and whatever else than
 * plain values and functions neither `as const`, `Object.freeze` nor a read-only type annotation protects. A worker shares modules between workflows,
 * so such a value would leak from one reservation into another and differ in a replay.
 */
export function moduleState(source: string): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  return body.flatMap((item) => stateOf(declarationOf(item)));
}

function declarationOf(item: ModuleItem): ModuleItem | Declaration {
  return item.type === 'ExportDeclaration' ? item.declaration : item;
}

function stateOf(item: ModuleItem | Declaration): string[] {
  if (item.type === 'ClassDeclaration') {
    const mutable = item.body.some(
      (member) =>
        member.type === 'ClassProperty' &&
        member.isStatic &&
        (!member.readonly || (member.value != null && isMutable(member.value))),
    );
    return mutable ? [item.identifier.value] : [];
  }
  if (item.type !== 'VariableDeclaration') return [];
  return item.declarations
    .filter(({ id, init }) => {
      if (item.declare) return false;
      if (item.kind !== 'const') return true;
      const annotation =
        id.type === 'Identifier' && 'typeAnnotation' in id ? id.typeAnnotation?.typeAnnotation : undefined;
      return init != null && !isReadonly(annotation) && isMutable(init);
    })
    .map(({ id }) => (id.type === 'Identifier' ? id.value : 'a pattern'));
}

function isMutable(value: Expression): boolean {
  switch (value.type) {
    case 'TsSatisfiesExpression':
    case 'TsNonNullExpression':
    case 'ParenthesisExpression':
      return isMutable(value.expression);
    case 'TsAsExpression':
      return !isReadonly(value.typeAnnotation) && isMutable(value.expression);
    case 'ConditionalExpression':
      return isMutable(value.consequent) || isMutable(value.alternate);
    case 'BinaryExpression':
      return isMutable(value.left) || isMutable(value.right);
    case 'RegExpLiteral':
      return /[gy]/.test(value.flags);
    case 'CallExpression':
      return !harmlessCalls.has(calleeOf(value));
    case 'TsConstAssertion':
    case 'Identifier':
    case 'MemberExpression':
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'TemplateLiteral':
    case 'UnaryExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
      return false;
    default:
      return true;
  }
}

function calleeOf({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return '';
  return callee.property.type === 'Identifier' ? `${callee.object.value}.${callee.property.value}` : '';
}

function isReadonly(type: TsType | undefined): boolean {
  if (type?.type === 'TsTypeOperator') return type.op === 'readonly';
  if (type?.type !== 'TsTypeReference' || type.typeName.type !== 'Identifier') return false;
  return type.typeName.value.startsWith('Readonly');
}

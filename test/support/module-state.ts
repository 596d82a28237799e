import { type Declaration, type Expression, type ModuleItem, parseSync, type TsType } from '@swc/core';

/**
 * The names of module-level values that code could change: `let`, `var`, and collections or instances that neither
 * `as const`, `Object.freeze` nor a read-only type annotation protects. A worker shares modules between workflows,
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
      (member) => member.type === 'ClassProperty' && member.isStatic && !member.readonly,
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
    case 'ParenthesisExpression':
      return isMutable(value.expression);
    case 'TsAsExpression':
      return !isReadonly(value.typeAnnotation) && isMutable(value.expression);
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'NewExpression':
      return true;
    default:
      return false;
  }
}

function isReadonly(type: TsType | undefined): boolean {
  if (type?.type === 'TsTypeOperator') return type.op === 'readonly';
  if (type?.type !== 'TsTypeReference' || type.typeName.type !== 'Identifier') return false;
  return type.typeName.value.startsWith('Readonly');
}

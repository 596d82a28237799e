import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

interface Operation {
  op: 'add' | 'replace';
  path: string;
  value: unknown;
}
interface Patch {
  target: { kind: string; name: string };
  patch: string;
}
/** Any Kubernetes object. */
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
}

const page = await readFile(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n([\s\S]+?)^```$/gm)].map(([, text = '']) => parse(text));

/** Whole manifests that docs/deploying.md shows. */
export const documentedManifests: KubernetesObject[] = blocks.filter((block) => 'kind' in block);

/** Patches of kustomize that docs/deploying.md shows. */
const documentedPatches: Patch[] = blocks.flatMap(({ patches = [] }) => patches);

/** The manifests as kustomize would change them by the patches of the page; those that no patch changes are left out. */
export function patchedAsDocumented<T extends KubernetesObject>(manifests: readonly T[]): T[] {
  const targets = new Map(documentedPatches.map(({ target }) => [`${target.kind} ${target.name}`, target]));
  return [...targets.values()].map(({ kind, name }) => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (found === undefined) throw new Error(`a patch of docs/deploying.md is for ${kind} ${name}`);
    const copy = structuredClone(found);
    for (const { target, patch } of documentedPatches)
      if (target.kind === kind && target.name === name)
        for (const operation of parse(patch) as Operation[]) apply(copy, operation);
    return copy;
  });
}

/** JSON Patch, of which the page needs two operations. */
function apply(to: object, { op, path, value }: Operation): void {
  const keys = path.split('/').slice(1);
  const last = keys.pop() ?? '';
  const parent = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], to);
  const exists = parent !== undefined && last in (parent as object);
  if (parent === undefined || (op === 'replace') !== exists) throw new Error(`${op} ${path} does not apply`);
  (parent as Record<string, unknown>)[last] = value;
}

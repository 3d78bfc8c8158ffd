import { allTypes } from './catalogue.ts';
import type { CatalogueName } from './market.ts';

const typeLabel = 'node.kubernetes.io/instance-type';
const familyLabel = 'karpenter.k8s.aws/instance-family';

/** Chooses the catalogue that has what manifests name: the small one, unless they name another type or family. */
export function chooseCatalogue(manifests: readonly unknown[]): CatalogueName {
  const known = new Set(allTypes().flatMap(({ name }) => [name, name.split('.', 1).join('')]));
  return manifests.flatMap(listNamedTypes).every((name) => known.has(name)) ? 'small' : 'current';
}

/** Lists the types and families that requirements and node selectors name anywhere in a value. */
function listNamedTypes(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listNamedTypes);
  if (typeof value !== 'object' || value === null) return [];
  const { key, values } = value as { readonly key?: unknown; readonly values?: unknown };
  const required = (key === typeLabel || key === familyLabel) && Array.isArray(values) ? values.map(String) : [];
  return [
    ...required,
    ...Object.entries(value).flatMap(([name, each]) =>
      (name === typeLabel || name === familyLabel) && typeof each === 'string' ? [each] : listNamedTypes(each),
    ),
  ];
}

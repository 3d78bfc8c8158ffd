import type { KubernetesObject } from '../kubernetes/meta.ts';
import { readOwn } from '../values/own-property.ts';

type Annotations = Readonly<Record<string, string>>;

/** The object with annotations changed; those set to `undefined` go. An empty set of annotations is left out. */
export function withAnnotations<T extends KubernetesObject>(
  object: T,
  changes: Readonly<Record<string, string | undefined>>,
): T {
  const kept = Object.entries({ ...object.metadata.annotations, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { annotations: _, ...metadata } = object.metadata;
  const annotations: Annotations = Object.fromEntries(kept);
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, annotations } };
}

export const annotationOf = (object: KubernetesObject, key: string): string | undefined =>
  readOwn(object.metadata.annotations, key);

/** The JSON in an annotation; `undefined` when there is none or it is no JSON object. */
export function jsonAnnotation(object: KubernetesObject, key: string): Readonly<Record<string, unknown>> | undefined {
  const text = annotationOf(object, key);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

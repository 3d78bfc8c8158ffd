import type { Namespace, Pod } from '@nodewright/apis';

const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** The namespaces of a cluster, each with the label of its name: those that are described and those that pods are in. */
export function namespacesOfPods(described: readonly Namespace[], pods: readonly Pod[]): readonly Namespace[] {
  const known = new Set(described.map(({ metadata }) => metadata.name));
  const others = new Set(
    pods.map(({ metadata }) => metadata.namespace ?? 'default').filter((name) => !known.has(name)),
  );
  const all: readonly Namespace[] = [...described, ...[...others].map((name) => ({ metadata: { name } }))];
  return all.map((namespace) => {
    const { metadata } = namespace;
    return {
      ...namespace,
      metadata: { ...metadata, labels: { ...metadata.labels, [namespaceNameLabel]: metadata.name } },
    };
  });
}

import type { Resource } from './resource.ts';
import type { ServedKind } from './served-kind.ts';

export const metricsGroup = 'metrics.k8s.io';

const measuredKind = (plural: string, kind: string, namespaced: boolean): ServedKind => ({
  group: metricsGroup,
  version: 'v1beta1',
  plural,
  singular: '',
  kind,
  namespaced,
  verbs: ['get', 'list'],
});

/** What the metrics server serves. Nothing of it is stored: it is computed when it is read. */
export const measuredResources: readonly Resource[] = [
  measuredKind('nodes', 'NodeMetrics', false),
  measuredKind('pods', 'PodMetrics', true),
].map((kind) => ({
  ...kind,
  collection: `${kind.plural}.${metricsGroup}`,
  schema: undefined,
  fromStored: (object) => object,
  toStored: (object) => object,
}));

import { awsLabels, karpenterLabels, type KubernetesObject, readOwn } from '@nodewright/apis';

/** What a metric of conditions is about. */
export type StatusSubject = {
  /** In lower case, as it stands in the name of the metric. */
  readonly kind: string;
  /** Labels of the object that the metrics of its kind carry, too, under their names there. */
  readonly labels: Readonly<Record<string, string>>;
};

/** Labels of nodes and their claims by which people group: the EC2NodeClass and the NodePool. */
const ownerLabels = [awsLabels.ec2NodeClass, karpenterLabels.nodePool];

const labelsByKind: Readonly<Record<string, readonly string[]>> = {
  nodeclaim: ownerLabels,
  node: [...ownerLabels, karpenterLabels.initialized],
};

/** `karpenter.sh/nodepool` is `karpenter_sh_nodepool` in a metric. */
const metricLabel = (label: string): string => label.replaceAll(/[/.-]/g, '_');

/** The names of the labels that metrics of a kind carry beside their own. */
export const listSubjectLabels = (kind: string): readonly string[] =>
  (readOwn(labelsByKind, kind) ?? []).map(metricLabel);

/** An object as metrics of conditions tell of it. A label that it lacks is empty. */
export function describeSubject(kindName: string, { metadata }: KubernetesObject): StatusSubject {
  const kind = kindName.toLowerCase();
  const labels = (readOwn(labelsByKind, kind) ?? []).map((label) => [
    metricLabel(label),
    readOwn(metadata.labels ?? {}, label) ?? '',
  ]);
  return { kind, labels: Object.fromEntries(labels) as Readonly<Record<string, string>> };
}

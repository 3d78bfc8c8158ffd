import { awsLabels, type KubernetesObject } from '@nodewright/apis';

/** Whether a claim or a node says which class it is of. What it says stays. */
export const hasNodeClassLabel = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.[awsLabels.ec2NodeClass] !== undefined;

export const withNodeClassLabel = <T extends KubernetesObject>(object: T, nodeClass: string): T => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, [awsLabels.ec2NodeClass]: nodeClass } },
});

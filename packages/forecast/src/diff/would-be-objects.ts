import {
  awsAnnotations,
  type EC2NodeClass,
  karpenterAnnotations,
  type KubernetesObject,
  type NodePool,
} from '@nodewright/apis';
import { ec2NodeClassHash, hashVersion, nodePoolHash } from '@nodewright/engine';

/** The pool with the hash that the controller would give it. */
export const withPoolHash = (pool: NodePool): NodePool =>
  withAnnotationsOf(pool, {
    [karpenterAnnotations.nodePoolHash]: nodePoolHash(pool),
    [karpenterAnnotations.nodePoolHashVersion]: hashVersion,
  });

/** The class with the hash that the controller would give it. */
export const withClassHash = (nodeClass: EC2NodeClass): EC2NodeClass =>
  withAnnotationsOf(nodeClass, {
    [awsAnnotations.ec2NodeClassHash]: ec2NodeClassHash(nodeClass),
    [awsAnnotations.ec2NodeClassHashVersion]: hashVersion,
  });

/**
 * What stands in the cluster, with what a manifest says over it: its spec as a whole, labels and annotations beside those
 * that are there.
 */
export function applyOver<T extends KubernetesObject & { readonly spec: unknown }>(standing: T, written: T): T {
  const { labels, annotations } = written.metadata;
  return {
    ...standing,
    metadata: {
      ...standing.metadata,
      ...(labels === undefined ? {} : { labels: { ...standing.metadata.labels, ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...standing.metadata.annotations, ...annotations } }),
    },
    spec: written.spec,
  };
}

function withAnnotationsOf<T extends KubernetesObject>(object: T, annotations: Readonly<Record<string, string>>): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}

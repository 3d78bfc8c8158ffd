import { awsAnnotations, type EC2NodeClass, karpenterAnnotations, type NodePool } from '@nodewright/apis';
import { structuralHash } from '@nodewright/engine';

/**
 * Tells the specs that nodes of a pool are held against from earlier ones. The stored hashes count, too: a node drifts
 * by them, and they are written after the spec.
 */
export const specFingerprint = (nodePool: NodePool, nodeClass: EC2NodeClass | undefined): string =>
  structuralHash({
    pool: [nodePool.metadata.uid, nodePool.metadata.generation, poolHashOf(nodePool)],
    class: [nodeClass?.metadata.uid, nodeClass?.metadata.generation, classHashOf(nodeClass)],
  });

const poolHashOf = ({ metadata }: NodePool): string | undefined =>
  metadata.annotations?.[karpenterAnnotations.nodePoolHash];

const classHashOf = (nodeClass: EC2NodeClass | undefined): string | undefined =>
  nodeClass?.metadata.annotations?.[awsAnnotations.ec2NodeClassHash];

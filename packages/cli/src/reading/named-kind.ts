import type { ClusterFlags } from './cluster-flags.ts';

/** A kind whose names a shell completes. */
export type NamedKind =
  | 'deployment'
  | 'disruptionPause'
  | 'ec2NodeClass'
  | 'node'
  | 'nodeClaim'
  | 'nodeGroup'
  | 'nodePool'
  | 'pod'
  | 'rollout';

/** The cluster that the command line under way names. */
export type NamedCluster = Pick<ClusterFlags, 'kubeconfig' | 'context'>;

import type { AwsAccount } from '../account.ts';
import type { Network } from '../ec2/network.ts';
import type { Faults } from '../faults/faults.ts';
import type { KeptAccessEntry, KeptPodIdentity } from './access-entry.ts';
import type { Addons } from './addons/addons.ts';
import type { Clusters } from './clusters/clusters.ts';
import type { KeptInsights } from './clusters/kept-insights.ts';
import type { KeptFargateProfile } from './fargate-profile.ts';
import type { NodeGroups } from './nodegroups/node-groups.ts';
import type { NodeSkew } from './node-skew.ts';

/** EKS in one region of an account. */
export type Eks = {
  readonly account: AwsAccount;
  /** The cluster that was there first. Its control plane is the Kubernetes API of the sandbox. None in other regions. */
  readonly clusterName: string;
  readonly clusters: Clusters;
  readonly controlPlane: EksControlPlane;
  readonly network: Network;
  /** Those of the first cluster. */
  readonly nodeGroups: NodeGroups;
  /** Returns those of a cluster of this name. */
  readonly groupsOf: (clusterName: string) => NodeGroups;
  readonly nodeSkew: NodeSkew;
  readonly faults: Faults;
  /** What EKS found at the clusters, by their names. */
  readonly insights: Map<string, KeptInsights>;
  readonly addons: Addons;
  /** By cluster and principal. */
  readonly accessEntries: Map<string, KeptAccessEntry>;
  /** By the ids of the associations. */
  readonly podIdentities: Map<string, KeptPodIdentity>;
  /** By cluster and name. */
  readonly fargateProfiles: Map<string, KeptFargateProfile>;
  /** Returns whether instances become nodes of a cluster. */
  readonly runsNodesOf: (clusterName: string) => boolean;
  /** Returns the URL of the API server of a cluster: `https://127.0.0.1:6443`. The port is known late. */
  readonly endpointOf: (clusterName: string) => string;
  /** Returns the issuer of the tokens of a cluster. */
  readonly issuerOf: (clusterName: string) => string;
  /** The CA's certificate in PEM. */
  readonly certificateAuthority: () => string;
};

/** The control plane of the first cluster, also after the cluster was deleted. */
export type EksControlPlane = {
  /** `1.29`: the old one until an update has ended. */
  readonly version: string;
  /** Whether there still is a cluster to reach. */
  readonly isThere: boolean;
};

import type { AwsAccount } from '../account.ts';
import type { Network } from '../ec2/network.ts';
import type { Faults } from '../faults/faults.ts';
import type { KeptAccessEntry, KeptPodIdentity } from './access-entry.ts';
import type { Addons } from './addons/addons.ts';
import type { Clusters } from './clusters/clusters.ts';
import type { KeptInsights } from './clusters/kept-insights.ts';
import type { NodeGroups } from './nodegroups/node-groups.ts';
import type { NodeSkew } from './node-skew.ts';

/** EKS in one account. Of one cluster it runs the control plane and the nodes, of others it knows the settings. */
export type Eks = {
  readonly account: AwsAccount;
  /** The cluster that is run here. */
  readonly clusterName: string;
  readonly clusters: Clusters;
  readonly controlPlane: EksControlPlane;
  readonly network: Network;
  readonly nodeGroups: NodeGroups;
  readonly nodeSkew: NodeSkew;
  readonly faults: Faults;
  /** What EKS found at the clusters, by their names. */
  readonly insights: Map<string, KeptInsights>;
  readonly addons: Addons;
  /** By cluster and principal. */
  readonly accessEntries: Map<string, KeptAccessEntry>;
  /** By the ids of the associations. */
  readonly podIdentities: Map<string, KeptPodIdentity>;
  /** `https://127.0.0.1:6443`; asked for when a client asks, because the port is known late. */
  readonly endpoint: () => string;
  /** The CA's certificate in PEM. */
  readonly certificateAuthority: () => string;
};

/** The control plane that is run here, also after its cluster was deleted. */
export type EksControlPlane = {
  /** `1.29`: the old one until an update has ended. */
  readonly version: string;
  /** Whether there still is a cluster to reach. */
  readonly isThere: boolean;
};

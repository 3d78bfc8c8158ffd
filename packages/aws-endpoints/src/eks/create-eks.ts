import { partitionOfRegion } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import { keepUnderPrefix } from '@nodewright/runtime';
import { Addons } from './addons/addons.ts';
import type { ClusterAddon } from './addons/cluster-addon.ts';
import type { EksClusterAccess } from './cluster-access.ts';
import { type ClusterHost, endpointId } from './clusters/cluster-host.ts';
import { clusterSecurityGroupOf, deleteClusterSecurityGroup } from './clusters/cluster-security-group.ts';
import { type ClusterListener, Clusters } from './clusters/clusters.ts';
import type { Eks, EksControlPlane } from './model.ts';
import type { NodeSkew } from './node-skew.ts';
import { NodeGroups, type NodeGroupsDeps } from './nodegroups/node-groups.ts';
import { hostedCluster } from './clusters/hosted-cluster.ts';

type EksDeps = Omit<NodeGroupsDeps, 'access' | 'cluster'> & {
  /** The cluster that is there first [there is none]. */
  readonly first?: FirstCluster;
  /** Runs the others. */
  readonly host: ClusterHost;
  /** Returns the CA certificate of all API servers in PEM. */
  readonly certificateAuthority: () => string;
  readonly nodeSkew: NodeSkew;
  readonly onAddon?: ((addon: ClusterAddon) => void) | undefined;
};

/** The cluster whose control plane is the Kubernetes API of the sandbox. */
type FirstCluster = {
  readonly clusterName: string;
  /** The minor it begins with. */
  readonly kubernetesVersion: string;
  readonly endpoint: () => string;
  readonly access: () => EksClusterAccess;
  readonly onVersion: (minor: string) => void;
};

/** Creates the EKS of one region of an account. */
export function createEks({ first, host, certificateAuthority, nodeSkew, onAddon, ...models }: EksDeps): Eks {
  const { account, clock, random, ledger, ec2, faults } = models;
  const clusterName = first?.clusterName ?? '';
  const placeOf = (name: string) => ({ account, name });
  const endpointOf = (name: string): string =>
    name === clusterName && first !== undefined ? first.endpoint() : host.endpointOf(placeOf(name));
  const issuerOf = (name: string): string =>
    `https://oidc.eks.${account.region}.${partitionOfRegion(account.region).dnsSuffix}/id/${name === clusterName ? 'SANDBOX' : endpointId(`${account.id} ${account.region} ${name}`)}`;
  const createGroups = (name: string, kept: Pick<NodeGroupsDeps, 'access' | 'ledger' | 'random'>): NodeGroups =>
    new NodeGroups({ ...models, ...kept, cluster: () => factsOf(name) });
  const factsOf = (name: string) => ({
    name,
    endpoint: endpointOf(name),
    certificateAuthority: certificateAuthority(),
    securityGroupId: clusterSecurityGroupOf(ec2.network, clusters.find(name) ?? {}),
  });
  const nodeGroups = createGroups(clusterName, {
    access: first?.access ?? (() => 'granted'),
    ledger,
    random: random.fork('node-groups'),
  });
  const further = new Map<string, NodeGroups>();
  const groupsOf = (name: string): NodeGroups => {
    if (name === clusterName) return nodeGroups;
    const groups =
      further.get(name) ??
      createGroups(name, {
        access: () => host.accessTo(placeOf(name)),
        ledger: keepUnderPrefix(ledger, `eks/clusters/${name}/`),
        random: random.fork(`node-groups ${name}`),
      });
    further.set(name, groups);
    return groups;
  };
  const clusters: Clusters = new Clusters({
    clock,
    random,
    ledger,
    listener: listenToClusters({ first, host, account, ec2, groupsOf }),
  });
  if (first !== undefined && clusters.isNew)
    clusters.keep(hostedCluster(first, { account, network: ec2.network, now: clock.now() }));
  return {
    account,
    network: ec2.network,
    clusterName,
    clusters,
    faults,
    insights: ledger.map('eks/insights'),
    addons: new Addons({
      clock,
      random: random.fork('add-ons'),
      ledger,
      onChange: (addon) => {
        if (addon.clusterName === clusterName) onAddon?.(addon);
        else host.addonChanged(placeOf(addon.clusterName), addon);
      },
    }),
    accessEntries: ledger.map('eks/access-entries'),
    podIdentities: ledger.map('eks/pod-identities'),
    fargateProfiles: ledger.map('eks/fargate-profiles'),
    nodeSkew,
    controlPlane: controlPlaneOf(clusters, first),
    nodeGroups,
    groupsOf,
    runsNodesOf: (name) => name === clusterName || host.runsNodes,
    endpointOf,
    issuerOf,
    certificateAuthority,
  };
}

type ListenerSources = Pick<EksDeps, 'host' | 'ec2'> & {
  readonly first: FirstCluster | undefined;
  readonly account: AwsAccount;
  readonly groupsOf: Eks['groupsOf'];
};

/** Tells the host of every cluster but the first one, and removes what EKS made for a cluster that is gone. */
function listenToClusters({ first, host, account, ec2, groupsOf }: ListenerSources): ClusterListener {
  const isFirst = (name: string): boolean => name === first?.clusterName;
  return {
    opened: ({ name, version }) => {
      if (!isFirst(name)) host.opened({ account, name }, { version, nodeGroups: groupsOf(name) });
    },
    upgraded: (name, minor) => {
      if (isFirst(name)) first?.onVersion(minor);
      else host.upgraded({ account, name }, minor);
    },
    closed: ({ name, securityGroupId }) => {
      if (securityGroupId !== undefined) deleteClusterSecurityGroup(ec2, securityGroupId);
      if (!isFirst(name)) host.closed({ account, name });
    },
  };
}

/** Returns the version of the first cluster. After its deletion the version stays the last one. */
function controlPlaneOf(clusters: Clusters, first: FirstCluster | undefined): EksControlPlane {
  let last = first?.kubernetesVersion ?? '';
  const find = () => (first === undefined ? undefined : clusters.find(first.clusterName));
  return {
    get version() {
      last = find()?.version ?? last;
      return last;
    },
    get isThere() {
      return find() !== undefined;
    },
  };
}

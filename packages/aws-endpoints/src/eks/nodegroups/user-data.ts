import type { Taint } from '@aws-sdk/client-eks';
import { findReleaseLine } from './ami-types.ts';
import { type EksNodeGroup, type Software, softwareLabels } from './node-group.ts';

export type ClusterFacts = {
  readonly name: string;
  readonly endpoint: string;
  readonly certificateAuthority: string;
  /** The group that the control plane and the nodes share. */
  readonly securityGroupId?: string | undefined;
};

type UserDataInput = { readonly group: EksNodeGroup; readonly software: Software; readonly maxPods: number };

/** Returns the user data of the nodes of a group, in the form that their image reads. It is not encoded. */
export function userDataFor(asked: UserDataInput, cluster: ClusterFacts): string {
  switch (findReleaseLine(asked.group.amiType)?.family) {
    case 'AL2023':
      return writeNodeConfig(asked, cluster);
    case 'Bottlerocket':
      return settings(asked, cluster);
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return powerShell(asked, cluster);
    default:
      return bootstrapScript(asked, cluster);
  }
}

const kubernetesEffects = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
} as const;

/** As Kubernetes spells it; the API has spellings of its own. */
export const kubernetesEffect = ({ effect }: Taint): 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule' =>
  kubernetesEffects[effect ?? 'NO_SCHEDULE'];

const groupNodeLabels = ({ group, software }: UserDataInput): Readonly<Record<string, string>> => ({
  ...group.labels,
  ...softwareLabels(group, software),
  'eks.amazonaws.com/capacityType': group.capacityType,
});

const formatLabelPairs = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');

const taintFlags = ({ group }: UserDataInput): string =>
  group.taints.map((taint) => `${taint.key}=${taint.value ?? ''}:${kubernetesEffect(taint)}`).join(',');

function flagsOf(asked: UserDataInput): readonly string[] {
  const taints = asked.group.taints.length === 0 ? [] : [`--register-with-taints=${taintFlags(asked)}`];
  return [`--node-labels=${formatLabelPairs(groupNodeLabels(asked))}`, ...taints, `--max-pods=${asked.maxPods}`];
}

const encodeUserData = (text: string): string => Buffer.from(text).toString('base64');

const bootstrapScript = (asked: UserDataInput, cluster: ClusterFacts): string => `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
set -ex
B64_CLUSTER_CA=${encodeUserData(cluster.certificateAuthority)}
API_SERVER_URL=${cluster.endpoint}
/etc/eks/bootstrap.sh ${cluster.name} --kubelet-extra-args '${flagsOf(asked).join(' ')}' --b64-cluster-ca $B64_CLUSTER_CA --apiserver-endpoint $API_SERVER_URL --use-max-pods false

--//--
`;

const writeNodeConfig = (asked: UserDataInput, cluster: ClusterFacts): string => `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

---
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    apiServerEndpoint: ${cluster.endpoint}
    certificateAuthority: ${encodeUserData(cluster.certificateAuthority)}
    cidr: 10.100.0.0/16
    name: ${cluster.name}
  kubelet:
    config:
      maxPods: ${asked.maxPods}
    flags:
${flagsOf(asked)
  .filter((flag) => !flag.startsWith('--max-pods'))
  .map((flag) => `    - "${flag}"`)
  .join('\n')}

--//--
`;

const settings = (asked: UserDataInput, cluster: ClusterFacts): string => `[settings.kubernetes]
api-server = "${cluster.endpoint}"
cluster-certificate = "${encodeUserData(cluster.certificateAuthority)}"
cluster-name = "${cluster.name}"
max-pods = ${asked.maxPods}

[settings.kubernetes.node-labels]
${Object.entries(groupNodeLabels(asked))
  .map(([key, value]) => `"${key}" = "${value}"`)
  .toSorted()
  .join('\n')}

[settings.kubernetes.node-taints]
${taintLists(asked.group.taints).join('\n')}
`;

/** One list for each key. */
const taintLists = (taints: readonly Taint[]): readonly string[] =>
  [...new Set(taints.map(({ key = '' }) => key))].map((key) => {
    const own = taints.filter((taint) => taint.key === key);
    return `"${key}" = [${own.map((taint) => `"${taint.value ?? ''}:${kubernetesEffect(taint)}"`).join(', ')}]`;
  });

const powerShell = (asked: UserDataInput, cluster: ClusterFacts): string => `<powershell>
[string]$EKSBinDir = "$env:ProgramFiles\\Amazon\\EKS"
[string]$EKSBootstrapScriptFile = "$EKSBinDir\\Start-EKSBootstrap.ps1"
& $EKSBootstrapScriptFile -EKSClusterName '${cluster.name}' -APIServerEndpoint '${cluster.endpoint}' -Base64ClusterCA '${encodeUserData(cluster.certificateAuthority)}' -KubeletExtraArgs '${flagsOf(asked).join(' ')}'
</powershell>
`;

import type { ImageRelease } from '../releases/release.ts';

/** Base64 user data with which an image of a family joins a cluster, and nothing besides. */
export function joiningUserData(family: ImageRelease['family'] | undefined, clusterName: string): string {
  return Buffer.from(textFor(family, clusterName)).toString('base64');
}

function textFor(family: ImageRelease['family'] | undefined, clusterName: string): string {
  switch (family) {
    case 'AL2':
    case 'Ubuntu':
      return `#!/bin/bash\n/etc/eks/bootstrap.sh '${clusterName}'\n`;
    case 'Bottlerocket':
      return `[settings.kubernetes]\ncluster-name = '${clusterName}'\n`;
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return `& $EKSBootstrapScriptFile -EKSClusterName '${clusterName}'\n`;
    case 'AL2023':
    case 'AmazonLinux':
    case undefined:
      return nodeConfig(clusterName);
  }
}

const nodeConfig = (clusterName: string): string => `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: ${JSON.stringify(clusterName)}
`;

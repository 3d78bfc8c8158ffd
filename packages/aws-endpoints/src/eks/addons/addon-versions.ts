import { parseMinorNumber } from '../../releases/minors.ts';
import { clusterVersions } from '../versions.ts';

/** An add-on of EKS. */
export type AddonKind = {
  readonly name: string;
  readonly type: 'networking' | 'storage' | 'observability' | 'security';
  readonly namespace: string;
  /** The service account of the add-on that needs rights in AWS, and the policy that has them. */
  readonly identity?: { readonly serviceAccount: string; readonly policy: string };
  /** Newest first. */
  readonly versions: readonly AddonVersion[];
};

type AddonVersion = {
  readonly version: string;
  /** The minors of Kubernetes that it goes with, as numbers. */
  readonly from: number;
  readonly to: number;
};

/** Reads a table with a version and the minors that it goes with on each line, newest first. */
const readVersions = (table: string): readonly AddonVersion[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [version = '', from = '0', to = '99'] = line.trim().split(/\s+/);
      return { version, from: Number(from), to: Number(to) };
    });

/** kube-proxy has the version of its minor. */
const kubeProxyVersions: readonly AddonVersion[] = clusterVersions
  .flatMap(({ version, patch }) => {
    const minor = parseMinorNumber(version);
    return [`v${patch}-eksbuild.2`, `v${patch}-eksbuild.1`].map((each) => ({ version: each, from: minor, to: minor }));
  })
  .toReversed();

/** The add-ons that EKS has, with some of their versions. */
const addonKinds: readonly AddonKind[] = [
  {
    name: 'aws-ebs-csi-driver',
    type: 'storage',
    namespace: 'kube-system',
    identity: { serviceAccount: 'ebs-csi-controller-sa', policy: 'service-role/AmazonEBSCSIDriverPolicy' },
    versions: readVersions(`
      v1.48.0-eksbuild.2 29
      v1.44.0-eksbuild.1 28
      v1.38.1-eksbuild.1 27
      v1.31.0-eksbuild.1 25 31
      v1.27.0-eksbuild.1 22 30
    `),
  },
  {
    name: 'aws-efs-csi-driver',
    type: 'storage',
    namespace: 'kube-system',
    identity: { serviceAccount: 'efs-csi-controller-sa', policy: 'service-role/AmazonEFSCSIDriverPolicy' },
    versions: readVersions(`
      v2.1.8-eksbuild.1 27
      v1.7.6-eksbuild.1 22 32
    `),
  },
  {
    name: 'coredns',
    type: 'networking',
    namespace: 'kube-system',
    versions: readVersions(`
      v1.12.4-eksbuild.1 33
      v1.12.1-eksbuild.2 33
      v1.11.4-eksbuild.2 29 32
      v1.11.3-eksbuild.1 28 32
      v1.11.1-eksbuild.8 27 31
      v1.11.1-eksbuild.4 27 30
      v1.10.1-eksbuild.7 25 28
      v1.9.3-eksbuild.11 22 26
    `),
  },
  {
    name: 'eks-node-monitoring-agent',
    type: 'observability',
    namespace: 'kube-system',
    versions: readVersions(`
      v1.4.0-eksbuild.2 27
      v1.2.0-eksbuild.1 25
    `),
  },
  {
    name: 'eks-pod-identity-agent',
    type: 'security',
    namespace: 'kube-system',
    versions: readVersions(`
      v1.3.8-eksbuild.2 27
      v1.3.4-eksbuild.1 24
      v1.1.0-eksbuild.1 24 31
    `),
  },
  { name: 'kube-proxy', type: 'networking', namespace: 'kube-system', versions: kubeProxyVersions },
  {
    name: 'metrics-server',
    type: 'observability',
    namespace: 'kube-system',
    versions: readVersions(`
      v0.8.0-eksbuild.2 28
      v0.7.2-eksbuild.1 24
    `),
  },
  {
    name: 'snapshot-controller',
    type: 'storage',
    namespace: 'kube-system',
    versions: readVersions(`
      v8.3.0-eksbuild.1 27
      v6.3.2-eksbuild.1 22 31
    `),
  },
  {
    name: 'vpc-cni',
    type: 'networking',
    namespace: 'kube-system',
    identity: { serviceAccount: 'aws-node', policy: 'AmazonEKS_CNI_Policy' },
    versions: readVersions(`
      v1.20.4-eksbuild.2 29
      v1.19.5-eksbuild.1 27
      v1.18.3-eksbuild.3 25 32
      v1.16.2-eksbuild.1 22 30
    `),
  },
];

export const listAddonKinds = (): readonly AddonKind[] => addonKinds;

export const findAddonKind = (name: string): AddonKind | undefined => addonKinds.find((kind) => kind.name === name);

export const addonSupports = ({ from, to }: AddonVersion, minor: string): boolean =>
  parseMinorNumber(minor) >= from && parseMinorNumber(minor) <= to;

/** The version that a cluster of this minor gets when a request names none: the second newest, where there are two. */
export function defaultAddonVersion({ versions }: AddonKind, minor: string): string | undefined {
  const fitting = versions.filter((each) => addonSupports(each, minor));
  return (fitting[1] ?? fitting[0])?.version;
}

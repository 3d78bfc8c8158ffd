import type { nodeBehaviors, releaseFamilies } from './release-kinds.ts';

export type NodeBehavior = (typeof nodeBehaviors)[number];

export const imageVariants = ['standard', 'nvidia', 'neuron', 'fips', 'nvidia-fips'] as const;
export const imageArchitectures = ['amd64', 'arm64'] as const;

/** One published build of an EKS image. Times are RFC 3339 UTC. */
export type ImageRelease = {
  /** `AmazonLinux` is Amazon Linux 2023 as it comes, without a kubelet: no EKS image, but people select it by mistake. */
  readonly family: (typeof releaseFamilies)[number] | 'AmazonLinux';
  readonly variant: (typeof imageVariants)[number];
  readonly arch: (typeof imageArchitectures)[number];
  /** Minor version, `1.29`; empty where an image is for none. */
  readonly kubernetesVersion: string;
  /** As an alias would pin it: `v20240129`, `1.18.0`. */
  readonly version: string;
  readonly imageId: string;
  /** The image's name in EC2. */
  readonly name: string;
  readonly createdAt: string;
  readonly publishedAt: string;
  readonly deprecatedAt?: string;
  readonly withdrawnAt?: string;
  /** Since when the moving parameter has left it, though its image and its own parameter are still there. */
  readonly recalledAt?: string;
  /** When the moving parameter came to it, and to Bottlerocket its short version: with publication unless later. */
  readonly promotedAt?: string;
  readonly behavior?: NodeBehavior;
  /** What nodes of it report: `v1.29.0-eks-5e0fdde`. */
  readonly kubeletVersion: string;
  /** What nodes of it report: `Amazon Linux 2`, `Bottlerocket OS 1.18.0 (aws-k8s-1.29)`. */
  readonly osImage: string;
  readonly kernelVersion: string;
  readonly containerRuntimeVersion: string;
};

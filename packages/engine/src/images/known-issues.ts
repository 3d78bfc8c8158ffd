import type { AmiFamily } from '@nodewright/apis';
import { isVersionWithin } from './image-rules.ts';

/** A published release that did harm to many, with the place where its vendor or users report that. */
export type KnownIssue = {
  readonly family: AmiFamily;
  /** Releases, as in the `versions` of an ImageRule: `v20251103`, or `>=v20240807 <v20240828`. */
  readonly versions: string;
  /** Minors of Kubernetes that it concerns; absent: all. */
  readonly minors?: readonly string[];
  /** What happens on its nodes: a clause. */
  readonly what: string;
  /** A release that people went to; absent where none is on record. */
  readonly goodVersion?: string;
  readonly source: string;
};

/**
 * Public reports about releases of EKS images. It cannot be complete, and a release that is not in it is not thereby good.
 * Facts and numbers are from the sources that each entry names.
 */
export const knownIssues: readonly KnownIssue[] = [
  {
    family: 'AL2',
    versions: 'v20221027',
    what: 'recalled by its vendor',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1071',
  },
  {
    family: 'AL2',
    versions: 'v20230211',
    what: 'recalled by its vendor: kernel updates fail on it',
    goodVersion: 'v20230217',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1193',
  },
  {
    family: 'AL2',
    versions: 'v20230411',
    what: 'containers stop starting after seven to eight hours of uptime',
    goodVersion: 'v20230406',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1278',
  },
  {
    family: 'AL2',
    versions: '<v20240202',
    minors: ['1.29'],
    what: 'the sandbox image is garbage collected, and from then on no pod starts',
    goodVersion: 'v20240202',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1597',
  },
  {
    family: 'AL2023',
    versions: '>=v20240807 <v20240828',
    what: 'containerd loses the exit of containers: exec fails and pods hang',
    goodVersion: 'v20240828',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1933',
  },
  {
    family: 'AL2',
    versions: '>=v20240817 <v20240828',
    what: 'containerd loses the exit of containers: exec fails and pods hang',
    goodVersion: 'v20240828',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/1933',
  },
  {
    family: 'AL2',
    versions: 'v20251103',
    what: 'containers with fractional CPU limits do not start',
    goodVersion: 'v20251023',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/2498',
  },
  {
    family: 'AL2023',
    versions: 'v20260403',
    what: 'containers of images whose /etc/passwd or /etc/group is an absolute link do not start',
    goodVersion: 'v20260304',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/2682',
  },
  {
    family: 'AL2023',
    versions: 'v20260505',
    what: 'nodes with the SOCI snapshotter stay NotReady',
    goodVersion: 'v20260423',
    source: 'https://github.com/awslabs/amazon-eks-ami/issues/2712',
  },
];

/** What is on record about a release; of several reports all. */
export const findKnownIssues = (
  release: { readonly family: AmiFamily; readonly version: string },
  kubernetesVersion?: string,
): readonly KnownIssue[] =>
  knownIssues.filter(
    ({ family, versions, minors }) =>
      family === release.family &&
      isVersionWithin(release.version, versions) &&
      (minors === undefined || kubernetesVersion === undefined || minors.includes(kubernetesVersion)),
  );

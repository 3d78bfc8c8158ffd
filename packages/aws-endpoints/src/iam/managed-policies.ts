import { byTextOf, type Instant, instant } from '@nodewright/apis';

/** A version of a policy, as its document was written. */
export type PolicyVersion = { readonly id: string; readonly document: string; readonly createdAt: Instant };

/** A policy that roles can be attached to, of the account or of AWS. */
export type ManagedPolicy = {
  readonly name: string;
  readonly id: string;
  readonly arn: string;
  readonly path: string;
  readonly createdAt: Instant;
  /** JSON: that of the default version. Absent for the policies of AWS, whose documents the sandbox does not have. */
  readonly document?: string;
  /** All versions, the oldest first; absent while there is the first one only. */
  readonly versions?: readonly PolicyVersion[];
  readonly defaultVersion?: string;
  /** The highest number that a version had: none is used twice. */
  readonly highestVersion?: number;
  readonly updatedAt?: Instant;
  readonly description?: string;
  readonly tags?: Readonly<Record<string, string>>;
};

export const listPolicyVersionsOf = ({ versions, document, createdAt }: ManagedPolicy): readonly PolicyVersion[] =>
  versions ?? (document === undefined ? [] : [{ id: 'v1', document, createdAt }]);

export const defaultVersionOf = ({ defaultVersion: id = 'v1', document = '', createdAt }: ManagedPolicy) =>
  ({ id, document, createdAt }) satisfies PolicyVersion;

/** The policies of AWS that guides to EKS and Karpenter attach. */
const policiesOfAws = [
  'AmazonEBSCSIDriverPolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonEC2ContainerRegistryReadOnly',
  'AmazonEKSClusterPolicy',
  'AmazonEKSVPCResourceController',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEKSWorkerNodeMinimalPolicy',
  'AmazonEKS_CNI_Policy',
  'AmazonSSMManagedInstanceCore',
  'AdministratorAccess',
  'ReadOnlyAccess',
] as const;

/** The folders of the few that are not at the root. */
const foldersOfAws: Readonly<Record<string, string>> = { AmazonEBSCSIDriverPolicy: '/service-role/' };

/** The policies of AWS in a partition, by their names. */
export const listPoliciesOfAws = (partition: string): readonly ManagedPolicy[] =>
  policiesOfAws
    .map((name) => {
      const path = foldersOfAws[name] ?? '/';
      const arn = `arn:${partition}:iam::aws:policy${path}${name}`;
      return { name, path, arn, id: `ANPA${name.toUpperCase().replaceAll('_', '')}`, createdAt: sinceEver };
    })
    .toSorted(byTextOf(({ name }) => name));

const sinceEver = instant(Date.UTC(2018, 5, 5));

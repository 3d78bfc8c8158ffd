import { byText } from '@nodewright/apis';

/** The access policies that give rights to people, and the default ClusterRole with nearly the same rules. */
export const accessPolicyRoles: ReadonlyMap<string, string> = new Map([
  ['AmazonEKSAdminPolicy', 'admin'],
  ['AmazonEKSAdminViewPolicy', 'view'],
  ['AmazonEKSClusterAdminPolicy', 'cluster-admin'],
  ['AmazonEKSEditPolicy', 'edit'],
  ['AmazonEKSViewPolicy', 'view'],
]);

/** The names of the access policies that EKS has. The others are for what EKS itself runs. */
export const accessPolicyNames: readonly string[] = [
  ...accessPolicyRoles.keys(),
  'AmazonEKSAutoNodePolicy',
  'AmazonEKSBlockStoragePolicy',
  'AmazonEKSComputePolicy',
  'AmazonEKSHybridPolicy',
  'AmazonEKSLoadBalancingPolicy',
  'AmazonEKSNetworkingPolicy',
].toSorted(byText);

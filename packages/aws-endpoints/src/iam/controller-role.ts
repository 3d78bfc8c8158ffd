import { partitionOfRegion } from '@nodewright/apis';
import { type AwsAccount, iamArnOf } from '../account.ts';
import type { FirstRole } from './model.ts';

/** The role that the account has for the controller of a cluster. */
export const controllerRoleName = (clusterName: string): string => `KarpenterController-${clusterName}`;

/** Pods of the cluster may assume it, with a pod identity or with the token of their service account. */
export function controllerRole(account: AwsAccount, clusterName: string): FirstRole {
  const issuer = `oidc.eks.${account.region}.${partitionOfRegion(account.region).dnsSuffix}/id/SANDBOX`;
  const Statement = [
    {
      Effect: 'Allow',
      Principal: { Service: 'pods.eks.amazonaws.com' },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    },
    {
      Effect: 'Allow',
      Principal: { Federated: iamArnOf(account, `oidc-provider/${issuer}`) },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com' } },
    },
  ];
  return { name: controllerRoleName(clusterName), trust: JSON.stringify({ Version: '2012-10-17', Statement }) };
}

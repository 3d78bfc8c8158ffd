import {
  AssociateAccessPolicy$,
  CreateAccessEntry$,
  CreateAddon$,
  DeleteAddon$,
  DescribeAddonConfiguration$,
  DescribeAddonVersions$,
  UpdateAddon$,
  CreatePodIdentityAssociation$,
  DeleteAccessEntry$,
  DeletePodIdentityAssociation$,
  DescribeAccessEntry$,
  DescribePodIdentityAssociation$,
  DisassociateAccessPolicy$,
  ListAccessEntries$,
  ListAccessPolicies$,
  ListAssociatedAccessPolicies$,
  ListPodIdentityAssociations$,
  UpdateAccessEntry$,
  UpdatePodIdentityAssociation$,
  CancelUpdate$,
  CreateCluster$,
  CreateNodegroup$,
  DeleteCluster$,
  DeleteNodegroup$,
  DescribeAddon$,
  DescribeCluster$,
  DescribeClusterVersions$,
  DescribeInsight$,
  DescribeInsightsRefresh$,
  DescribeNodegroup$,
  DescribeUpdate$,
  ListAddons$,
  ListClusters$,
  ListFargateProfiles$,
  CreateFargateProfile$,
  DeleteFargateProfile$,
  DescribeFargateProfile$,
  ListIdentityProviderConfigs$,
  ListInsights$,
  ListNodegroups$,
  ListTagsForResource$,
  ListUpdates$,
  StartInsightsRefresh$,
  TagResource$,
  UntagResource$,
  UpdateClusterConfig$,
  UpdateClusterVersion$,
  UpdateNodegroupConfig$,
  UpdateNodegroupVersion$,
  type ListIdentityProviderConfigsRequest,
} from '@aws-sdk/client-eks';
import { restProtocol } from '../codec/rest-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { defineOperation, type AwsOperation, type AwsService } from '../service.ts';
import {
  describeCluster,
  describeClusterVersions,
  describeEksUpdate,
  listClusters,
  listUpdates,
} from './operations/cluster-operations.ts';
import { updateClusterConfig } from './operations/clusters/config-operations.ts';
import { createCluster, deleteCluster } from './operations/clusters/create-operations.ts';
import { cancelClusterUpdate, updateClusterVersion } from './operations/clusters/version-operations.ts';
import {
  describeInsight,
  describeInsightsRefresh,
  listInsights,
  startInsightsRefresh,
} from './operations/insights/operations.ts';
import { eksTagRules } from './tag-rules.ts';
import type { Eks } from './model.ts';
import {
  associateAccessPolicy,
  createAccessEntry,
  deleteAccessEntry,
  describeAccessEntry,
  disassociateAccessPolicy,
  listAccessEntries,
  listAccessPolicies,
  listAssociatedPolicies,
  updateAccessEntry,
} from './operations/access/access-entry-operations.ts';
import {
  createPodIdentity,
  deletePodIdentity,
  describePodIdentity,
  listPodIdentities,
  updatePodIdentity,
} from './operations/access/pod-identity-operations.ts';
import { updateNodegroupConfig } from './operations/nodegroups/config-operations.ts';
import { createNodegroup, deleteNodegroup } from './operations/nodegroups/create-operations.ts';
import { describeNodegroup, listNodegroups } from './operations/nodegroups/describe-operations.ts';
import { updateNodegroupVersion } from './operations/nodegroups/version-operations.ts';
import {
  createAddon,
  deleteAddon,
  describeAddon,
  listAddons,
  updateAddon,
} from './operations/addons/addon-operations.ts';
import { describeAddonConfiguration, describeAddonVersions } from './operations/addons/version-operations.ts';
import { listTags, tagResource, untagResource } from './operations/tag-operations.ts';
import { eksConstraints, eksInputLimits } from './input-limits.ts';

import {
  createFargateProfile,
  deleteFargateProfile,
  describeFargateProfile,
  listFargateProfiles,
} from './operations/fargate/profile-operations.ts';
export const eksService = (eks: Eks): AwsService => {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (eks: Eks, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => work(eks, input));
  return {
    name: 'eks',
    protocol: restProtocol(),
    commonErrors: {
      throttling: { code: 'ThrottlingException', status: 429 },
      accessDenied: { code: 'AccessDeniedException', status: 403 },
    },
    limits: eksInputLimits,
    constraints: eksConstraints,
    rules: eksTagRules,
    operations: [
      serve(AssociateAccessPolicy$, associateAccessPolicy),
      serve(CreateAccessEntry$, createAccessEntry),
      serve(CreatePodIdentityAssociation$, createPodIdentity),
      serve(DeleteAccessEntry$, deleteAccessEntry),
      serve(DeletePodIdentityAssociation$, deletePodIdentity),
      serve(DescribeAccessEntry$, describeAccessEntry),
      serve(DescribePodIdentityAssociation$, describePodIdentity),
      serve(DisassociateAccessPolicy$, disassociateAccessPolicy),
      serve(ListAccessEntries$, listAccessEntries),
      serve(ListAccessPolicies$, listAccessPolicies),
      serve(ListAssociatedAccessPolicies$, listAssociatedPolicies),
      serve(ListPodIdentityAssociations$, listPodIdentities),
      serve(UpdateAccessEntry$, updateAccessEntry),
      serve(UpdatePodIdentityAssociation$, updatePodIdentity),
      serve(DescribeCluster$, describeCluster),
      serve(ListClusters$, listClusters),
      serve(CreateCluster$, createCluster),
      serve(DeleteCluster$, deleteCluster),
      serve(UpdateClusterConfig$, updateClusterConfig),
      serve(UpdateClusterVersion$, updateClusterVersion),
      serve(DescribeUpdate$, describeEksUpdate),
      serve(ListUpdates$, listUpdates),
      serve(DescribeClusterVersions$, describeClusterVersions),
      serve(ListNodegroups$, listNodegroups),
      serve(DescribeNodegroup$, describeNodegroup),
      serve(CreateNodegroup$, createNodegroup),
      serve(UpdateNodegroupVersion$, updateNodegroupVersion),
      serve(UpdateNodegroupConfig$, updateNodegroupConfig),
      serve(DeleteNodegroup$, deleteNodegroup),
      serve(CancelUpdate$, cancelClusterUpdate),
      serve(TagResource$, tagResource),
      serve(UntagResource$, untagResource),
      serve(ListTagsForResource$, listTags),
      serve(ListAddons$, listAddons),
      serve(DescribeAddon$, describeAddon),
      serve(ListFargateProfiles$, listFargateProfiles),
      serve(CreateFargateProfile$, createFargateProfile),
      serve(DescribeFargateProfile$, describeFargateProfile),
      serve(DeleteFargateProfile$, deleteFargateProfile),
      serve(CreateAddon$, createAddon),
      serve(DeleteAddon$, deleteAddon),
      serve(DescribeAddonConfiguration$, describeAddonConfiguration),
      serve(DescribeAddonVersions$, describeAddonVersions),
      serve(UpdateAddon$, updateAddon),
      serve(ListIdentityProviderConfigs$, listIdentityProviders),
      serve(ListInsights$, listInsights),
      serve(DescribeInsight$, describeInsight),
      serve(StartInsightsRefresh$, startInsightsRefresh),
      serve(DescribeInsightsRefresh$, describeInsightsRefresh),
    ],
  };
};

/** The cluster trusts none beside IAM. */
function listIdentityProviders(eks: Eks, { clusterName }: ListIdentityProviderConfigsRequest): object {
  eks.clusters.cluster(clusterName ?? '');
  return { identityProviderConfigs: [] };
}

import {
  CancelUpdate$,
  CreateNodegroup$,
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
  ListInsights$,
  ListNodegroups$,
  ListUpdates$,
  StartInsightsRefresh$,
  UpdateClusterVersion$,
  UpdateNodegroupConfig$,
  UpdateNodegroupVersion$,
  type DescribeAddonRequest,
  type ListAddonsRequest,
  type ListFargateProfilesRequest,
} from '@aws-sdk/client-eks';
import { restProtocol } from '../codec/rest-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { operation, type Operation, type Service } from '../service.ts';
import {
  checkCluster,
  describeCluster,
  describeClusterVersions,
  describeUpdate,
  listClusters,
  listUpdates,
  updateClusterVersion,
} from './cluster-operations.ts';
import { noSuchAddon } from './errors.ts';
import { describeInsight, describeInsightsRefresh, listInsights, startInsightsRefresh } from './insight-operations.ts';
import type { Eks } from './model.ts';
import { updateNodegroupConfig } from './nodegroups/config-operations.ts';
import { createNodegroup, deleteNodegroup } from './nodegroups/create-operations.ts';
import { cancelUpdate, describeNodegroup, listNodegroups } from './nodegroups/describe-operations.ts';
import { updateNodegroupVersion } from './nodegroups/version-operations.ts';

export const eksService = (eks: Eks): Service => {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (eks: Eks, input: Input) => Output,
  ): Operation => operation(schema, (input: Input) => work(eks, input));
  return {
    name: 'eks',
    protocol: restProtocol(),
    operations: [
      serve(DescribeCluster$, describeCluster),
      serve(ListClusters$, listClusters),
      serve(UpdateClusterVersion$, updateClusterVersion),
      serve(DescribeUpdate$, describeUpdate),
      serve(ListUpdates$, listUpdates),
      serve(DescribeClusterVersions$, describeClusterVersions),
      serve(ListNodegroups$, listNodegroups),
      serve(DescribeNodegroup$, describeNodegroup),
      serve(CreateNodegroup$, createNodegroup),
      serve(UpdateNodegroupVersion$, updateNodegroupVersion),
      serve(UpdateNodegroupConfig$, updateNodegroupConfig),
      serve(DeleteNodegroup$, deleteNodegroup),
      serve(CancelUpdate$, cancelUpdate),
      serve(ListAddons$, listAddons),
      serve(DescribeAddon$, describeAddon),
      serve(ListFargateProfiles$, listFargateProfiles),
      serve(ListInsights$, listInsights),
      serve(DescribeInsight$, describeInsight),
      serve(StartInsightsRefresh$, startInsightsRefresh),
      serve(DescribeInsightsRefresh$, describeInsightsRefresh),
    ],
  };
};

/** The cluster runs none of these yet. */

function listAddons(eks: Eks, { clusterName }: ListAddonsRequest): object {
  checkCluster(eks, clusterName);
  return { addons: [] };
}

function describeAddon(eks: Eks, { clusterName, addonName = '' }: DescribeAddonRequest): never {
  checkCluster(eks, clusterName);
  throw noSuchAddon(eks.clusterName, addonName);
}

function listFargateProfiles(eks: Eks, { clusterName }: ListFargateProfilesRequest): object {
  checkCluster(eks, clusterName);
  return { fargateProfileNames: [] };
}

import {
  DescribeAddon$,
  DescribeCluster$,
  DescribeClusterVersions$,
  DescribeNodegroup$,
  DescribeUpdate$,
  ListAddons$,
  ListClusters$,
  ListFargateProfiles$,
  ListInsights$,
  ListNodegroups$,
  ListUpdates$,
  UpdateClusterVersion$,
  type DescribeAddonRequest,
  type DescribeNodegroupRequest,
  type ListAddonsRequest,
  type ListFargateProfilesRequest,
  type ListInsightsRequest,
  type ListNodegroupsRequest,
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
import { noSuchAddon, noSuchNodegroup } from './errors.ts';
import type { Eks } from './model.ts';

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
      serve(ListAddons$, listAddons),
      serve(DescribeAddon$, describeAddon),
      serve(ListFargateProfiles$, listFargateProfiles),
      serve(ListInsights$, listInsights),
    ],
  };
};

/** The cluster runs none of these yet. */

function listNodegroups(eks: Eks, { clusterName }: ListNodegroupsRequest): object {
  checkCluster(eks, clusterName);
  return { nodegroups: [] };
}

function describeNodegroup(eks: Eks, { clusterName, nodegroupName = '' }: DescribeNodegroupRequest): never {
  checkCluster(eks, clusterName);
  throw noSuchNodegroup(eks.clusterName, nodegroupName);
}

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

function listInsights(eks: Eks, { clusterName }: ListInsightsRequest): object {
  checkCluster(eks, clusterName);
  return { insights: [] };
}

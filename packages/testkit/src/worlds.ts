/**
 * Whole worlds for tests: AWS accounts, small clusters, the operator before fakes or before the
 * embedded EKS, and the recorded answers of a real API server. Apart from the builders of
 * `@nodewright/testkit`, because a test that needs none of it should not load it.
 */
export {
  aNodeClassOfAccount,
  anAwsAccount,
  clusterName,
  never,
  resolvedIn,
  accountStart,
} from './worlds/aws-account.ts';
export { aRelease } from './worlds/aws/a-release.ts';
export { aParameterStore } from './worlds/aws/parameter-store.ts';
export { anAutoScalingGroup, AutoScalingGroupName } from './worlds/aws/an-auto-scaling-group.ts';
export { templateName, aFleet, anEc2, x86, arm } from './worlds/aws/an-ec2.ts';
export { ec2Caller } from './worlds/aws/ec2-caller.ts';
export { awsCli } from './worlds/aws/aws-cli.ts';
export { installedAwsClis } from './worlds/aws/installed-aws-clis.ts';
export { aNodeGroupAccount, ownGroup } from './worlds/aws/node-group-account.ts';
export { presignToken } from './worlds/aws/presigned-token.ts';
export { inProcess } from './worlds/aws/sdk-in-process.ts';
export type { TestAccountOptions } from './worlds/aws/test-account.ts';
export { aTestAccount, testAccessKey } from './worlds/aws/test-account.ts';
export type { GroupWorld } from './worlds/group-world.ts';
export { groupWorld, newImage, oldRelease, newRelease, aGroup } from './worlds/group-world.ts';
export type { Interception } from './worlds/intercepted-clients.ts';
export { interceptCalls, sdkError } from './worlds/intercepted-clients.ts';
export { type Answer, anApiServer } from './worlds/in-process-api.ts';
export { aFollowedCluster, anApiError, type ClusterScript, failFirstReads } from './worlds/followed-cluster.ts';
export { FakeWeb } from './worlds/fake-web.ts';
export type { World } from './worlds/operator-world.ts';
export { aNodeClass, aPool, aWorld, aRunningCluster, worldStart } from './worlds/operator-world.ts';
export {
  aGroupRelease,
  anAutomaticGroup,
  aManagedNode,
  aWorldWithManagedGroup,
  createNodeGroup,
  nodeGroupStatusOf,
  oldGroupRelease,
} from './worlds/managed-group.ts';
export { knownDifferences } from './worlds/recordings/known-differences.ts';
export type { Exchange } from './worlds/recordings/recordings.ts';
export { unpacked, answerOf, recorded, sentBy } from './worlds/recordings/recordings.ts';
export { replay } from './worlds/recordings/replay.ts';
export {
  aScalingGroup,
  anApp,
  aWorldWithGroup,
  eventsOf,
  expectTidy,
  groupOf,
  imagesOf,
  setBudget,
  wanted,
  zones,
  setGroup,
  setTemplate,
} from './worlds/scaling-group-world.ts';
export type { RolloutFleet } from './worlds/rollout-fleet.ts';
export { aRolloutFleet, newImageId, passesWithin, provenImageId, quickWaves } from './worlds/rollout-fleet.ts';
export { severableLink, tapAnswers } from './worlds/severable-link.ts';
export { Transcript } from './worlds/transcript.ts';
export { SmallCluster } from './worlds/small-cluster.ts';
export {
  answersOnDescribe,
  answerWith,
  awsErrorClasses,
  dryRunSucceeds,
  errorsByClass,
  grantedFleet,
  listedInstanceProfile,
  noLaunchTemplate,
  oldLaunchTemplate,
  profileWithRoles,
  refusalOf,
  runningInstance,
  runningProviderId,
} from './worlds/aws/call-answers.ts';
export { callTable, type Follow, nameOfCall } from './worlds/aws/call-table.ts';
export { printCalls, printErrorClasses } from './worlds/aws/print-call-table.ts';
export { describeClientContract } from './worlds/contracts/kubernetes-client.ts';
export { describeInstanceContract } from './worlds/contracts/instances.ts';
export { describeInterruptionContract } from './worlds/contracts/interruptions.ts';
export { describeAccountContract, describeMarketContract } from './worlds/contracts/market.ts';
export { describeNodeClassContract } from './worlds/contracts/node-classes.ts';
export { describeManagedGroupContract, describeScalingGroupContract } from './worlds/contracts/node-groups.ts';
export { clientWithinRights } from './worlds/client-within-rights.ts';
export { absentMetrics, karpenterMetrics } from './worlds/karpenter-metrics.ts';
export { type DefinedMetric, listOperatorMetrics } from './worlds/operator-metrics.ts';
export { printMetricsPage } from './worlds/print-metrics-page.ts';
export { countSteps } from './worlds/count-steps.ts';
export { controlRequest, formRequest, jsonRequest, restRequest } from './worlds/hostile-requests/aws-requests.ts';
export type { HostileRequest } from './worlds/hostile-requests/hostile-texts.ts';
export { kubernetesRequest } from './worlds/hostile-requests/kubernetes-requests.ts';
export { refusedClusterObjects } from './worlds/refused-objects/refused-cluster-objects.ts';
export { refusedPolicies } from './worlds/refused-objects/refused-policies.ts';
export { refusedWorkloads } from './worlds/refused-objects/refused-workloads.ts';
export type { ObjectRefusal, ValidKind } from './worlds/refused-objects/valid-objects.ts';
export { containerPatch, specPatch, validObjects } from './worlds/refused-objects/valid-objects.ts';
export { worstCases } from './worlds/worst-cases.ts';
export type { WorstCase } from './worlds/worst-cases/requests.ts';
export { aClaim } from './worlds/reports/a-labelled-claim.ts';
export { aRound } from './worlds/reports/a-round.ts';
export { aServedCluster, type ServedCluster } from './worlds/served-cluster.ts';
export { aTerminal } from './worlds/terminal.ts';
export { printEntries } from './worlds/reports/print-entries.ts';
export { printSeries } from './worlds/reports/print-series.ts';
export { beginningOfTwoNodes, sandboxNodeClass, startTwoNodes, twoTypesNodePool } from './worlds/two-node-cluster.ts';

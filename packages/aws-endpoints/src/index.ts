/**
 * The AWS endpoints of the embedded EKS, in the wire protocols of EC2, EKS, Auto Scaling, SQS, SSM,
 * IAM, STS, Pricing and Service Quotas, with the image releases and the instance type catalogue that
 * they serve. It knows nothing of Kubernetes objects: a `MachineListener` gets each launched instance.
 */
export { type AwsAccount, iamArnOf } from './account.ts';
export type { AutoScalingGroupRecord, GroupInstance, HookWait } from './autoscaling/group/group.ts';
export { isEnding } from './autoscaling/group/group.ts';
export type { AccessRefusal, AccessRules } from './authorization/authorize-call.ts';
export { evaluatePolicy } from './authorization/evaluate-policy.ts';
export type { AccessDemand } from './authorization/iam-policy.ts';
export { IamPolicyError, parseIamPolicy } from './authorization/parse-policy.ts';
export type { CallerAccess } from './caller-access.ts';
export type { ClusterAddon } from './eks/addons/cluster-addon.ts';
export { controllerRoleName } from './iam/controller-role.ts';
export type { Aws, AwsOptions } from './aws.ts';
export { createAws } from './aws.ts';
export type { AwsCall } from './calls.ts';
export { AwsError } from './codec/aws-error.ts';
export type { CatalogueName, InstanceMarket } from './catalogue/market.ts';
export type { MarketType } from './restored/restored-market.ts';
export { restoredMarket } from './restored/restored-market.ts';
export type { AccountFacts, InstanceFacts, OwnImageFacts } from './restored/account-facts.ts';
export type { NodeUpdateStage } from './restored/group-facts.ts';
export { joiningUserData } from './restored/joining-user-data.ts';
export { restoredAccountMaps } from './restored/account-maps.ts';
export type { FeedRelease } from './releases/feed.ts';
export { completeRelease } from './releases/feed.ts';
export { chooseCatalogue } from './catalogue/choose-catalogue.ts';
export { chooseZones, findNamedZones } from './catalogue/choose-zones.ts';
export { importCurrentTypes } from './catalogue/current-types.ts';
export { readTypesTable } from './catalogue/renewal/read-types-table.ts';
export type { ClusterHost, ClusterPlace, OpenedCluster } from './eks/clusters/cluster-host.ts';
export type { EksClusterAccess } from './eks/cluster-access.ts';
export { groupIssueCodes } from './faults/eks-fault-names.ts';
export type { Eks } from './eks/model.ts';
export type { NodeSkew } from './eks/node-skew.ts';
export { releasesFor } from './eks/nodegroups/ami-types.ts';
export { createNodegroup } from './eks/operations/nodegroups/create-operations.ts';
export { updateNodegroupVersion } from './eks/operations/nodegroups/version-operations.ts';
export { listGroupIssues } from './eks/nodegroups/health/issues-of.ts';
export type { EksNodeGroup, GroupUpdate, NodegroupResources } from './eks/nodegroups/node-group.ts';
export { softwareLabels, softwareConfiguration, settledGroup } from './eks/nodegroups/node-group.ts';
export { warmPoolPart, NodeGroups } from './eks/nodegroups/node-groups.ts';
export { isOwnHook } from './eks/nodegroups/own-hooks.ts';
export { kubernetesEffect } from './eks/nodegroups/user-data.ts';
export { type FaultFieldProblem, isLabelMap, listFaultProblems, parseFault } from './faults/fault-input.ts';
export type { Fault } from './faults/fault.ts';
export { FaultError } from './faults/fault.ts';
export { Faults } from './faults/faults.ts';
export { compileAnswerConstraints, type Violation } from './limits/constraint-checks.ts';
export type { ThrottleOption } from './limits/throttle.ts';
export { listBehaviors } from './ec2/machine-of.ts';
export type { BootedMachine, MachineBehavior, MachineListener, MachineShape } from './machine.ts';
export { builtInReleases } from './releases/built-in.ts';
export { mergeReleases, parseReleases, ReleaseFeedError } from './releases/feed.ts';
export type { AnswerListener } from './serve-call.ts';
export { listMembers, operationName, outputShape, type Shape } from './codec/shape.ts';
export type { ReleaseHistory } from './releases/history.ts';
export { historyOf, historyUntil } from './releases/history.ts';
export type { RequestContext } from './releases/release-request.ts';
export { obeyReleaseRequest, releaseSelector } from './releases/release-request.ts';
export type { ReleaseSelector } from './releases/release-store.ts';
export { ReleaseStore } from './releases/release-store.ts';
export { releaseVersionOf } from './releases/release-version.ts';
export type { NodeBehavior, ImageRelease } from './releases/release.ts';
export { imageArchitectures, imageVariants } from './releases/release.ts';
export { nodeBehaviors } from './releases/release-kinds.ts';
export type { AccessKey } from './signature/access-key.ts';
export {
  CatalogueSourceError,
  type NamedDocument,
  type RenewedCatalogue,
  renewCatalogue,
} from './catalogue/renewal/renew-catalogue.ts';
export type { AwsAuthMap } from './sts/mapped-users.ts';
export type { TokenUser } from './sts/token.ts';

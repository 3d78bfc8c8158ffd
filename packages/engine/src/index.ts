/**
 * The decisions: given a snapshot, what should happen and why. Plain functions over plain data, so
 * the same code runs in the controller, in a forecast and in a browser.
 *
 * `schedulePods` is the one entry to the solver: the problem of a round in, placements and reasons out. Drift
 * and consolidation use it to try out a cluster without some of its nodes. `decideImages` is the one
 * answer to which image a node gets. A "no" is always a value with its reason, and a `printed...`
 * function turns a reason into words.
 *
 * It refuses to know the time, chance, the network and any cloud: instants, instance types and
 * found images are passed in, and nothing here waits, logs or throws for an expected outcome.
 */
export type { NodeState } from './cluster/node-state.ts';
export {
  isEphemeralTaint,
  isManagedNode,
  isMarkedForDeletion,
  nodeAllocatableOf,
  nodeCapacityOf,
  nodeLabelsOf,
  nodeNameOf,
  nodePoolNameOf,
} from './cluster/node-state.ts';
export { findNewestActivePod, isNewerPod, newestDaemonPod, unpinDaemonPod } from './pods/daemon-pod.ts';
export { podRequests } from './pods/pod-requests.ts';
export {
  isActivePod,
  isDaemonPod,
  isMirrorPod,
  isProvisionable,
  isReschedulable,
  isTerminal,
  isTerminating,
  isWaitingForNode,
  podName,
} from './pods/pod-state.ts';
export { isProtected, protectionOf } from './pods/do-not-disrupt.ts';
export type { PodComplaint } from './pods/pod-complaint.ts';
export { podComplaint } from './pods/pod-complaint.ts';
export type { VolumeFacts } from './volumes/volume-facts.ts';
export { claimNamesOf } from './volumes/volume-facts.ts';
export { attachLimitsOf } from './volumes/attach-limits.ts';
export type { AttachedVolume } from './volumes/attached-volumes.ts';
export { attachedVolumes } from './volumes/attached-volumes.ts';
export { volumeComplaint } from './volumes/volume-complaint.ts';
export { volumeAlternatives } from './volumes/volume-requirements.ts';
export type {
  CapacityType,
  InstanceType,
  Offering,
  OfferingOverrides,
  Resources,
  Shortage,
} from './instance-types/instance-type.ts';
export {
  addResources,
  maxResources,
  noResources,
  resourcesOf,
  subtractResources,
  sumOfResources,
  toResourceList,
} from './instance-types/resources.ts';
export type {
  NewNode,
  PassedOver,
  SchedulingOptions,
  SchedulingProblem,
  SchedulingResult,
  UnschedulablePod,
} from './solve/problem.ts';
export type { PoolSupply } from './instance-types/pool-supply.ts';
export { refusalOfNode, withoutWorkload } from './cluster/node-refusal.ts';
export { schedulingDemand } from './pods/scheduling-demand.ts';
export type { FutileLaunch } from './solve/futile-launch.ts';
export { printedReasons, printedTogether } from './solve/why/printed-reasons.ts';
export { endOfReasons, signatureOf } from './solve/why/signature.ts';
export type { Fix } from './solve/reasons/fix.ts';
export type { DefaultSpreadConstraint, WorkloadSelectors } from './solve/topology/default-spread.ts';
export { defaultSpreadOf } from './solve/topology/default-spread.ts';
export { prepareTypes, schedulePods } from './solve/round/schedule.ts';
export { effectiveZones } from './solve/round/effective-zone.ts';
export type { CheaperTypes } from './solve/why/why-not-cheaper.ts';
export { whyNothingToLaunch } from './solve/why/why-not.ts';
export { whyNotCheaper } from './solve/why/why-not-cheaper.ts';
export { suitableTypes, whyUseless } from './solve/nodes/node-template.ts';
export { resourcesThrough, variantsOf, wholeTypes } from './instance-types/offering-overrides.ts';
export { claimFor, staticClaimFor } from './solve/nodes/node-claim.ts';
export { exceededLimit } from './solve/nodes/pool-limits.ts';
export { toleratesAll } from './pods/tolerations.ts';
export { bufferSize } from './buffers/buffer-size.ts';
export type { BufferTemplate } from './buffers/buffer-template.ts';
export { bufferTemplate, bufferUnit } from './buffers/buffer-template.ts';
export { isRealPod, virtualPods } from './buffers/virtual-pods.ts';
export type { BufferOutcome } from './buffers/buffer-outcome.ts';
export { bufferOutcomes, provisioningCondition } from './buffers/buffer-outcome.ts';
export type { OverlayVerdict } from './overlays/evaluate-overlays.ts';
export { evaluateOverlays } from './overlays/evaluate-overlays.ts';
export { overlaysAtWork, printedOverlays } from './overlays/overlays-at-work.ts';
export { overlaidTypes } from './overlays/overlaid-types.ts';
export type { ProblemFile } from './interchange/problem-file.ts';
export { catalogueFrom, problemFrom, writtenProblem } from './interchange/problem-file.ts';
export type { SolutionFile, WrittenNewNode } from './interchange/solution-file.ts';
export { writtenSolution } from './interchange/solution-file.ts';
export type { FoundImage } from './images/found-image.ts';
export type { FirstSeen } from './images/image-age.ts';
export type { FamilyReleases } from './images/missing-release.ts';
export { releaseKey } from './images/missing-release.ts';
export type { ImageDecision, PassedOverReason } from './images/decide-images.ts';
export { decideImages } from './images/decide-images.ts';
export type { ImageQuery } from './images/image-query.ts';
export { buildImageQuery, buildNodeClassImageQuery } from './images/image-query.ts';
export { isBlockingAnything } from './images/image-rules.ts';
export type { KnownIssue } from './images/known-issues.ts';
export { findKnownIssues } from './images/known-issues.ts';
export { familyOfAlias, followsLatest, parsedAlias } from './images/alias.ts';
export { pinnedReleaseOf } from './images/pinned-release.ts';
export { findImageObstacle } from './images/image-obstacle.ts';
export type { ClaimImages, ImageGate } from './images/launch-rule.ts';
export { selectClaimImages } from './images/launch-rule.ts';
export { imageSetOf, printVariant, statusAmiOf, variantOfNode } from './images/variants.ts';
export { amiFamilyOf } from './images/ami-family.ts';
export type { GovernableObject, Governance } from './rollouts/governance.ts';
export { assignPolicies, governablePool, governedId } from './rollouts/governance.ts';
export { findPause, isPauseInForce, printPause } from './pauses/find-pause.ts';
export type { LateNode } from './rollouts/ages/late-nodes.ts';
export { lateNodesAdvice, printLateNodes } from './rollouts/ages/late-nodes.ts';
export { comparisonNode, printFailedNode, printMovedNode } from './rollouts/comparison-node.ts';
export { printDrainKeeper } from './rollouts/drain-keeper.ts';
export { currentRollout, hasEnded } from './rollouts/course.ts';
export { parkTimeOf } from './rollouts/in-flight.ts';
export { parseRollback } from './rollouts/way-back.ts';
export type { RolloutHappening } from './rollouts/happenings.ts';
export { isActingPolicy, readImageGate } from './rollouts/image-gates.ts';
export {
  buildCheckJob,
  checkJobName,
  checkRolloutLabel,
  judgeJob,
  namespaceOfCheck,
  unneededJobs,
} from './rollouts/checks/check-jobs.ts';
export type { CheckPlace, CheckVerdict } from './rollouts/checks/check-results.ts';
export {
  dropResultsOfOthers,
  findCheckResult,
  readCheckResults,
  recordVerdict,
  withCheckResult,
} from './rollouts/checks/check-results.ts';
export type { CheckedMember, CheckTask } from './rollouts/checks/due-checks.ts';
export { placeOfMember, planChecks } from './rollouts/checks/due-checks.ts';
export { judgePrometheusAnswer, judgeWebhookAnswer, prometheusUrl } from './rollouts/checks/query-verdicts.ts';
export { buildWebhookBody } from './rollouts/checks/webhook-body.ts';
export type { EvidenceRecord, ProvenRelease, UpstreamReading, WaveStage } from './rollouts/promotion.ts';
export { placesToRead } from './rollouts/promotion.ts';
export type { AnnouncedWave } from './rollouts/neighbours.ts';
export type { ProvingNode } from './rollouts/records/evidence-record.ts';
export { buildEvidenceRecord, nextPublication } from './rollouts/records/evidence-record.ts';
export type { Publication } from './rollouts/records/held-images.ts';
export { isVariantInUse, reportPromotion } from './rollouts/records/held-images.ts';
export { keepWritesOfOthers } from './rollouts/stored-status.ts';
export type { Delivery } from './rollouts/messages/deliveries.ts';
export { giveUpMessages, planDeliveries, receiverKey, recordDelivery } from './rollouts/messages/deliveries.ts';
export { wantsMessage } from './rollouts/messages/due-messages.ts';
export { formatMessage, policyOfMessage } from './rollouts/messages/message-forms.ts';
export type { MessageOwner, ToldMessage } from './rollouts/messages/message-forms.ts';
export type { SourcePin } from './rollouts/source-pin.ts';
export type { MessageStatus } from './rollouts/messages/deliveries.ts';
export { parseReleaseDay } from './images/release-day.ts';
export type { OwnerCounters } from './rollouts/owner-counters.ts';
export type { RolloutPlan } from './rollouts/plan.ts';
export type { RolloutAction } from './rollouts/plan-actions.ts';
export { planRollouts } from './rollouts/plan.ts';
export type { HeldMove, MoveBlocker } from './rollouts/gates/gate.ts';
export { printMoveBlocker } from './rollouts/gates/gate.ts';
export type { WaveForecast } from './rollouts/wave-forecast.ts';
export { forecastWaves } from './rollouts/wave-forecast.ts';
export { unexpectedDriftApproval } from './rollouts/unexpected-drift.ts';
export { printRolloutTarget } from './rollouts/image-set.ts';
export { soakSkipNeeded } from './rollouts/wait-reasons.ts';
export { reportPolicy } from './rollouts/policy-report.ts';
export type { RolloutSettings } from './rollouts/settings.ts';
export { resolveRolloutSettings } from './rollouts/settings.ts';
export type { CalendarState, RolloutCalendar } from './rollouts/calendar/windows.ts';
export { readCalendar } from './rollouts/calendar/windows.ts';
export type {
  GovernedObject,
  LaunchFailure,
  RolloutNode,
  RolloutRequest,
  RolloutSnapshot,
  ServiceEndpoints,
} from './rollouts/snapshot.ts';
export { ec2NodeClassHash, hashVersion, nodePoolHash } from './drift/static-hash.ts';
export { driftReason, driftReasons, isTypeJudgedFrom } from './drift/drift-reason.ts';
export type { DriftReason } from './drift/drift-reason.ts';
export { structuralHash } from './drift/structural-hash.ts';
export type { PoolCounts } from './disruption/budgets/budgets.ts';
export {
  allowanceOfBudget,
  budgetComplaints,
  isBudgetOpen,
  nextBudgetChange,
  unlimited,
} from './disruption/budgets/budgets.ts';
export { BudgetLedger } from './disruption/budgets/budget-ledger.ts';
export { parseSchedule } from './disruption/budgets/cron-schedule.ts';
export { countsByPool, poolCounts } from './disruption/budgets/pool-counts.ts';
export type { EvictionBlocker } from './disruption/evictions/pod-disruption-budgets.ts';
export { EvictionRules } from './disruption/evictions/pod-disruption-budgets.ts';
export { allowsEviction, isGuardedByBudgets, isReadyPod } from './disruption/evictions/eviction-api.ts';
export { fullyBlockingRule } from './disruption/evictions/fully-blocking-budget.ts';
export { evictionCost } from './disruption/candidates/disruption-cost.ts';
export type { DisruptionBlocker } from './disruption/candidates/disruption-blocker.ts';
export { printBlockedEvent } from './disruption/candidates/blocked-event.ts';
export { isAnnounced, printedBlocker, printedEviction } from './disruption/candidates/disruption-blocker.ts';
export { boughtOffering } from './disruption/candidates/bought-offering.ts';
export type { DisruptionCandidate, CandidacyQuestion } from './disruption/candidates/candidate.ts';
export { candidacyOf, listOwnBlockers } from './disruption/candidates/candidate.ts';
export type { DisruptionSnapshot } from './disruption/snapshot.ts';
export type { ConsolidationType, DisruptionCommand } from './disruption/command.ts';
export type {
  BlockedNode,
  DisruptionMethod,
  MethodPlan,
  NodeRemark,
  CommandValidation,
  ValidationFailure,
} from './disruption/method.ts';
export { validationMs } from './disruption/method.ts';
export { disruptionMethods } from './disruption/methods.ts';
export { quietAt } from './disruption/quiet.ts';
export { printBarrierEvent } from './disruption/consolidation/barrier.ts';
export { consolidationOutlook } from './disruption/consolidation/outlook.ts';
export { planSingly, planTogether, validateConsolidation } from './disruption/consolidation/plan.ts';
export type { SearchLimits } from './disruption/moves/search-effort.ts';
export type { SearchOutcome, WeighedMove } from './disruption/moves/search.ts';
export type { MoveScore } from './disruption/moves/balance.ts';
export { savingsOf } from './disruption/moves/move.ts';
export { printedScore, printedShares } from './disruption/moves/refusal.ts';

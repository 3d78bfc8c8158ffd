/**
 * What tests are built from: builders that carry the defaults, so that a test states only what
 * it is about. Imported by tests alone.
 */
export { aPod, somePods } from './a-pod.ts';
export { aNodePool } from './a-node-pool.ts';
export { anInstanceType, reservedOffering, withOverrides } from './an-instance-type.ts';
export { aNodeOverlay } from './a-node-overlay.ts';
export { aNode } from './a-node.ts';
export { aClusterReading } from './a-cluster-reading.ts';
export { anImage, aNodeClass } from './an-image.ts';
export { fakeCloud } from './cloud/fake-cloud.ts';
export { FakeInstances } from './cloud/fake-instances.ts';
export { FakeParameters } from './cloud/fake-parameters.ts';
export { aLoosePool, aQuietNode, aRunningPod, aSnapshot, fourTypes } from './a-shrinking-cluster.ts';
export { boundPod, launchedNode, runningCluster } from './running-cluster.ts';
export { someProblem } from './some-problem.ts';
export { applyFix } from './scheduling/apply-fix.ts';
export { aProblem } from './scheduling/a-problem.ts';
export { aDaemonPod, requiringNodes, supplyOfPool } from './scheduling/rule-problems.ts';
export { topologyRounds } from './scheduling/topology-rounds.ts';
export { violations } from './scheduling/violations.ts';
export type { GroupSettings } from './simulated-group.ts';
export { SimulatedGroup } from './simulated-group.ts';
export { TinyApiServer } from './tiny-api-server.ts';
export { decideForBothWords, inheritedWords } from './inherited-words.ts';
export { aFailingLedger, fullDisk, keptIn, MemoryJournal, stateLines } from './memory-journal.ts';
export {
  judgementOfTest,
  refusalsByNode,
  searchSinglyIn,
  searchTime,
  searchTogetherIn,
} from './disruption/searches.ts';
export { type DiskFault, FaultyFileSystem } from './faulty-file-system.ts';
export { simpleSchedule } from './scheduling/simple-schedule.ts';
export { findBrokenInvariants } from './rollouts/fleet-invariants.ts';
export { type EvidenceRun, simulateRolloutEvidence } from './rollouts/rollout-evidence.ts';
export { SimulatedFleet } from './rollouts/simulated-fleet.ts';
export {
  aNodeClassOf,
  aPinnedClass,
  aPodBudget,
  aPoolWithoutFindings,
  aRolloutPolicy,
  aWorkload,
  lintSettingOfTest,
  testLintExamples,
} from './lint-examples.ts';

/**
 * An embedded EKS in one process, reached through request handlers: AWS endpoints, a Kubernetes
 * API server, and the kubelets of the instances that EC2 launched. It knows nothing of the engine.
 */
export { createAws } from './aws/aws.ts';
export type { Aws, AwsOptions } from './aws/aws.ts';
export type { AwsCall, CallOutcome } from './aws/calls.ts';
export type { TokenUser } from './aws/sts/token.ts';
export { type Fault, FaultError, type StandingFault } from './aws/fault.ts';
export { parseFault } from './aws/fault-input.ts';
export { builtInReleases } from './releases/built-in.ts';
export { historyOf } from './releases/history.ts';
export type { ReleaseHistory } from './releases/history.ts';
export { ReleaseStore } from './releases/release-store.ts';
export { completeRelease, mergeReleases, parseReleases, ReleaseFeedError } from './releases/feed.ts';
export type { FeedRelease } from './releases/feed.ts';
export type { NodeBehavior, Release } from './releases/release.ts';
export type { ReleaseSelector } from './releases/release-store.ts';
export type { Machine, MachineListener, MachineShape } from './machine.ts';
export { createKubelets } from './nodes/kubelets.ts';
export type { Kubelets, KubeletsOptions } from './nodes/kubelets.ts';
export type { ControllerOptions, Stoppable } from './control/controller-options.ts';
export { startScheduler } from './scheduler/scheduler.ts';
export { customResourceRefusals } from './kubernetes/schema/custom-resource-refusals.ts';
export { createApiServer } from './kubernetes/api-server.ts';
export type { ApiServer, ApiServerOptions } from './kubernetes/api-server.ts';
export type { CustomResource } from './kubernetes/resources/custom-resource.ts';
export type { PodLogOptions, PodLogs, TokenReader, User } from './kubernetes/server/world.ts';
export type { StoreSnapshot } from './kubernetes/storage/store.ts';
export { startWorkloadControllers } from './workloads/start.ts';
export { systemManifests } from './workloads/system-manifests.ts';
export { forgetfulLedger } from './state/ledger.ts';
export type { Ledger } from './state/ledger.ts';
export { LineLedger, readLedger } from './state/line-ledger.ts';
export type { KeptState, LineLedgerOptions } from './state/line-ledger.ts';
export { leversHandler } from './levers.ts';
export type { LeversOptions } from './levers.ts';
export { attachSandbox } from './attached-sandbox.ts';
export type { AttachedSandbox, AttachedSandboxOptions } from './attached-sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { Sandbox, SandboxEndpoints, SandboxOptions } from './sandbox.ts';
export { certificateAuthority } from './kubernetes/auth/certificates.ts';
export type { CertificateAuthority, KeyPair, Validity } from './kubernetes/auth/certificates.ts';
export { kubeconfigText } from './kubernetes/auth/kubeconfig.ts';
export { listen, PortTakenError } from './listen.ts';
export type { Listening, ListenOptions, TlsFiles } from './listen.ts';
export { scenarios } from './scenarios/scenarios.ts';
export type { Scenario, ScenarioStep, ScenarioWorld } from './scenarios/scenario.ts';

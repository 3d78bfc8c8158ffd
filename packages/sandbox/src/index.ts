/**
 * The embedded EKS in one process: `kube-api`, `aws-endpoints` and `cluster-sim` put together, with
 * the manager of EKS node groups, the control API, prepared scenarios and the listening ports. It
 * knows nothing of the engine.
 */
export { controlApiHandler } from './control-api.ts';
export { attachSandbox } from './attached-sandbox.ts';
export type { AttachedSandboxOptions } from './attached-sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { Sandbox } from './sandbox.ts';
export type { ClientWay } from './cluster-clients.ts';
export type { SandboxEndpoints, SandboxOptions } from './sandbox-options.ts';
export { refuseForeignRequests } from './foreign-requests.ts';
export { requireToken } from './require-token.ts';
export { listenOn, PortTakenError } from './listen.ts';
export type { Listening } from './listen.ts';
export type { DefectReport } from './answer-defect.ts';
export { scenarios } from './scenarios/scenarios.ts';
export type { Scenario, ScenarioStep } from './scenarios/scenario.ts';

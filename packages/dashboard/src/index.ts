/**
 * What people are shown of a cluster. One reading goes in, explanations and view models come out: the command line, the
 * terminal view and the page print the same words.
 *
 * It refuses to know browsers, terminals, clocks and the network. Times are timestamps: whoever draws them makes ages.
 */
export { findNamed, printExplanation } from './explain/explanation.ts';
export { NoSuchObjectError } from './explain/no-such-object.ts';
export { explainBudget } from './explain/explain-budget.ts';
export { explainMachine, findForeignInstance } from './explain/explain-machine.ts';
export type { UnkeptGroup } from './explain/foreign-node.ts';
export { explainNodeClass } from './explain/explain-node-class.ts';
export { explainNodePool } from './explain/explain-node-pool.ts';
export { explainPod } from './explain/explain-pod.ts';
export { explainNodeGroup } from './explain/explain-node-group.ts';
export { explainRollout } from './explain/explain-rollout.ts';
export type { ImageReport, ReportedImage } from './images/image-report.ts';
export { claimsOfNodeClass, imageReport, nodesByImage } from './images/image-report.ts';
export { reportStoredImages } from './images/stored-images.ts';
export { selectTellingImages } from './images/telling-images.ts';
export { listAdmittedNodes } from './rollouts/admitted-nodes.ts';
export { listRolloutCommands } from './rollouts/rollout-commands.ts';
export { countWords } from './rollouts/rollout-counts.ts';
export { listImageChanges, seatWords, stateWords } from './rollouts/rollout-words.ts';
export type { ReadableKind } from './access/part-kinds.ts';
export { dashboardKinds, joinHiddenParts, listHiddenParts, listUnreadParts } from './access/part-kinds.ts';
export { restrictDashboard, restrictForecast, restrictHistory } from './access/restrict-views.ts';
export { viewDashboard } from './views/dashboard.ts';

import type { RoundSnapshot } from '@nodewright/operator';

/** The snapshot of a round in an empty cluster without pools, unless told otherwise. */
export const aRound = (more: Partial<RoundSnapshot> = {}): RoundSnapshot => ({
  supplies: [],
  notReady: [],
  failed: [],
  unevaluated: [],
  closed: [],
  nodes: [],
  launching: [],
  leavingNodes: [],
  promisedPods: new Set(),
  pending: [],
  virtualPods: [],
  ignored: [],
  volumeRequirements: new Map(),
  attachedVolumes: new Map(),
  defaultSpread: new Map(),
  daemonPods: [],
  namespaces: [],
  budgets: [],
  launched: [],
  futile: new Map(),
  poolNames: new Set(),
  nodeClassGenerations: new Map(),
  ...more,
});

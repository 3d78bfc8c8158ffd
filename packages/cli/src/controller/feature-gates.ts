/** Gates that change something here, in alphabetical order. */
const servedGates = [
  'CapacityBuffer',
  'NodeOverlay',
  'NodeRepair',
  'ReservedCapacity',
  'SpotToSpotConsolidation',
  'StaticCapacity',
] as const;

const driftIsOff =
  'Drift=false is not a gate any more: drift is part of v1. To hold it back, give each NodePool a budget, ' +
  '`spec.disruption.budgets: [{nodes: "0", reasons: [Drifted]}]`';

/** Gates of earlier versions. */
const retiredGates: ReadonlySet<string> = new Set(['Drift', 'DriftEnabled']);

/** What to tell about gates that do not do what their author may expect: retired ones, and names that are none. */
export function listGateWarnings(gates: ReadonlyMap<string, boolean>): readonly string[] {
  const isDriftOff = [...retiredGates].some((name) => gates.get(name) === false);
  const known = new Map([...servedGates, ...retiredGates].map((name) => [name.toLowerCase(), name]));
  const unknown = [...gates.keys()].filter((name) => known.get(name.toLowerCase()) !== name);
  return [...(isDriftOff ? [driftIsOff] : []), ...unknown.map((name) => describeUnknownGate(name, known))];
}

function describeUnknownGate(name: string, known: ReadonlyMap<string, string>): string {
  const meant = known.get(name.toLowerCase());
  const hint = meant === undefined ? `there are ${servedGates.join(', ')}` : `did you mean ${meant}?`;
  return `FEATURE_GATES: there is no gate ${name}, and it changes nothing; ${hint}`;
}

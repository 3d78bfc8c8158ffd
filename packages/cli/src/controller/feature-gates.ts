/** Gates that change something here, in alphabetical order. */
const servedGates = [
  'CapacityBuffer',
  'ManifestWarnings',
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

/** Gates of the AWS provider. */
const awsGates = ['NodeClassCEL'] as const;

/** What to tell about gates of the AWS provider: names that are none. */
export const listAwsGateWarnings = (gates: ReadonlyMap<string, boolean>): readonly string[] =>
  listUnknownGates('AWS_FEATURE_GATES', gates, awsGates);

/** What to tell about gates that do not do what their author may expect: retired ones, and names that are none. */
export function listGateWarnings(gates: ReadonlyMap<string, boolean>): readonly string[] {
  const isDriftOff = [...retiredGates].some((name) => gates.get(name) === false);
  const unretired = new Map([...gates].filter(([name]) => !retiredGates.has(name)));
  return [...(isDriftOff ? [driftIsOff] : []), ...listUnknownGates('FEATURE_GATES', unretired, servedGates)];
}

function listUnknownGates(
  setting: string,
  gates: ReadonlyMap<string, boolean>,
  served: readonly string[],
): readonly string[] {
  const known = new Map([...served, ...retiredGates].map((name) => [name.toLowerCase(), name]));
  const unknown = [...gates.keys()].filter((name) => !served.includes(name));
  return unknown.map((name) => {
    const meant = known.get(name.toLowerCase());
    const hint = meant === undefined ? `there are ${served.join(', ')}` : `did you mean ${meant}?`;
    return `${setting}: there is no gate ${name}, and it changes nothing; ${hint}`;
  });
}

/** A wave as a policy writes it. */
export type PresetWave = { readonly name: string; readonly nodes: string | number; readonly soak?: string };

export const rolloutPresetNames = ['cautious', 'standard', 'fast'] as const;
export type RolloutPresetName = (typeof rolloutPresetNames)[number];

/** The default of one field: the same in every preset, or one for each, and the reason for the choice. */
export type RolloutDefault<T> = {
  readonly values: Readonly<Record<RolloutPresetName, T>>;
  readonly reason: string;
};

const everywhere = <T>(value: T, reason: string): RolloutDefault<T> => ({
  values: { cautious: value, standard: value, fast: value },
  reason,
});

const byPreset = <T>(cautious: T, standard: T, fast: T, reason: string): RolloutDefault<T> => ({
  values: { cautious, standard, fast },
  reason,
});

const wave = (name: string, nodes: string | number, soak?: string): PresetWave => ({
  name,
  nodes,
  ...(soak === undefined ? {} : { soak }),
});

/**
 * What every field of a NodeRolloutPolicy is when it is absent, by the path of the field, with the reason.
 * A written field wins over the preset. docs/rollouts.md lists them, and a test compares both.
 */
export const rolloutDefaults = {
  waves: byPreset<readonly PresetWave[]>(
    [wave('canary', 1, '24h'), wave('twentieth', '5%', '48h'), wave('quarter', '25%', '24h'), wave('all', '100%')],
    [wave('canary', 1, '8h'), wave('tenth', '10%', '24h'), wave('all', '100%')],
    [wave('canary', 1, '1h'), wave('all', '100%')],
    'One node of each variant goes first and runs pods long enough for faults that need hours of uptime.',
  ),
  'health.failureBudget': everywhere(0, 'One node that fails is enough to stop: the next would be the second.'),
  'health.variants': everywhere<'Together' | 'Independent'>(
    'Together',
    'A release that is bad for one variant is suspect for the others.',
  ),
  'health.withoutEvidence': byPreset<'Wait' | 'Proceed'>(
    'Wait',
    'Proceed',
    'Proceed',
    'Quiet clusters would never finish a rollout; a cautious policy asks a person instead.',
  ),
  'health.signals.registration.within': everywhere(
    '15m',
    'As long as the liveness timeout of a launch: a node that has not joined by then never does.',
  ),
  'health.signals.nodeReady.for': everywhere('2m', 'Restarts of a kubelet are over by then.'),
  'health.signals.lease.olderThan': everywhere(
    '90s',
    'Nine missed renewals, and twice the grace of the control plane.',
  ),
  'health.signals.podsReady.within': everywhere('10m', 'Large images are pulled and slow programs are up by then.'),
  'health.signals.nodeConditions.types': everywhere<readonly string[]>(
    ['KernelDeadlock', 'ReadonlyFilesystem', 'NetworkUnavailable', 'ContainerRuntimeReady'],
    'What the node problem detector and the EKS node monitoring agent report of a broken system.',
  ),
  'health.checks[].interval': everywhere('1m', 'As often as metrics are collected.'),
  'health.checks[].failures': everywhere(3, 'One late answer is no failure.'),
  onHalt: everywhere<'Hold' | 'Rollback'>('Hold', 'A person looks first: the evidence is on the nodes.'),
  newTarget: everywhere<'FinishFirst' | 'Supersede'>(
    'FinishFirst',
    'A family that releases every week would never finish a rollout otherwise.',
  ),
  'rollback.windows': everywhere<'Ignore' | 'Respect'>('Ignore', 'Going back from a bad image does not wait.'),
  'pace.maxPerHour': byPreset(20, 50, 200, 'What a person can follow, and what capacity and quotas carry.'),
  'pace.minInterval': byPreset('5m', '2m', '30s', 'The pods of one node settle before the next of its pool goes.'),
  'pace.maxSurge': byPreset(5, 10, 30, 'Addresses and vCPU quotas have little room; drift needs a node more for each.'),
  'pace.order': everywhere<'ReplaceFirst' | 'TerminateFirst'>('ReplaceFirst', 'Pods never wait for a node.'),
  'pace.slot': everywhere('30m', 'A node that cannot be drained must not hold up the others.'),
  blocked: everywhere<readonly { readonly after: string; readonly do: 'Park' | 'Notify' | 'Force' }[]>(
    [
      { after: '30m', do: 'Park' },
      { after: '2d', do: 'Notify' },
    ],
    'Pods are never removed by force unless the policy says so.',
  ),
  'protect.lastEndpoint': everywhere(true, 'Two replicas on two old nodes are a common way to lose a Service.'),
  'protect.unexpectedDrift': everywhere(
    '20%',
    'That many nodes do not drift by themselves: something else has changed, such as a version of the controller.',
  ),
  finishWithin: byPreset('28d', '14d', '3d', 'A rollout that takes longer meets the next release.'),
} as const;

export type RolloutDefaultName = keyof typeof rolloutDefaults;

/** The default of a field in a preset. */
export function presetDefault<Name extends RolloutDefaultName>(
  name: Name,
  preset: RolloutPresetName,
): (typeof rolloutDefaults)[Name]['values'][RolloutPresetName] {
  return rolloutDefaults[name].values[preset];
}

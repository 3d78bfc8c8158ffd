import {
  parseAge,
  parseIntOrPercent,
  presetDefault,
  type IntOrPercent,
  type LabelSelector,
  type NodeRolloutPolicySpec,
  type PromotionSettings,
  type RolloutBlackout,
  type RolloutCheck,
  type RolloutPresetName,
  type RolloutReceiver,
  type RolloutWindow,
} from '@nodewright/apis';

export type WaveSettings = {
  readonly name: string;
  readonly nodes: IntOrPercent;
  readonly soakMs: number;
  readonly needsApproval: boolean;
  readonly prefer?: LabelSelector;
};

/** Limits of the signals; `undefined` for a signal that is ignored. */
export type SignalSettings = {
  readonly registrationMs: number | undefined;
  readonly notReadyMs: number | undefined;
  readonly leaseMs: number | undefined;
  readonly nodeConditions: readonly string[];
  readonly comparesStarts: boolean;
  readonly comparesRestarts: boolean;
  readonly podsReadyMs: number | undefined;
};

/** A policy with every field filled in, from what is written and from its preset. Lengths of time in milliseconds. */
export type RolloutSettings = {
  readonly mode: 'Automatic' | 'Propose' | 'Report';
  readonly waves: readonly WaveSettings[];
  readonly failureBudget: number;
  readonly variants: 'Together' | 'Independent';
  readonly withoutEvidence: 'Proceed' | 'Wait';
  readonly signals: SignalSettings;
  /** Those that the policy asks. */
  readonly checks: readonly RolloutCheck[];
  /** How many failures in a row fail each of them. */
  readonly checkFailures: ReadonlyMap<string, number>;
  readonly canaryGroup?: string;
  readonly onHalt: 'Hold' | 'Rollback';
  readonly newTarget: 'FinishFirst' | 'Supersede';
  readonly rollbackWindows: 'Ignore' | 'Respect';
  readonly windows: readonly RolloutWindow[];
  readonly blackouts: readonly RolloutBlackout[];
  readonly pace: PaceSettings;
  readonly ladder: LadderSettings;
  readonly maxAge: AgeSettings | undefined;
  readonly lastEndpoint: boolean;
  /** In percent of the governed nodes. */
  readonly unexpectedDriftPercent: number;
  readonly finishWithinMs: number;
  readonly promotion?: PromotionSettings;
  /** The receivers of messages; a policy that only reports has none. */
  readonly receivers: readonly RolloutReceiver[];
};

export type PaceSettings = {
  readonly maxPerHour: number;
  readonly minIntervalMs: number;
  readonly maxSurge: number;
  readonly order: 'ReplaceFirst' | 'TerminateFirst';
  readonly slotMs: number;
};

/** What is done about a node that cannot be drained, and after how long; `undefined` for never. */
export type LadderSettings = {
  readonly parkMs: number | undefined;
  readonly notifyMs: number | undefined;
  readonly forceMs: number | undefined;
};

export type AgeSettings = {
  readonly softMs: number | undefined;
  readonly jitterMs: number;
  readonly hardMs: number | undefined;
};

/** Fills in what a policy leaves out. A written field wins over the preset. */
export function resolveRolloutSettings(spec: NodeRolloutPolicySpec): RolloutSettings {
  const preset = spec.preset ?? 'standard';
  const { mode = 'Automatic', health = {}, protect = {}, canaryGroup, promotion } = spec;
  return {
    mode,
    waves: (spec.waves ?? presetDefault('waves', preset)).map((wave) => resolveWave(wave, mode)),
    // Without room for a replacement nothing goes on after a failure.
    failureBudget:
      spec.pace?.order === 'TerminateFirst'
        ? 0
        : (health.failureBudget ?? presetDefault('health.failureBudget', preset)),
    variants: health.variants ?? presetDefault('health.variants', preset),
    withoutEvidence: health.withoutEvidence ?? presetDefault('health.withoutEvidence', preset),
    signals: resolveSignals(health.signals ?? {}, preset),
    checks: health.checks ?? [],
    checkFailures: new Map(
      (health.checks ?? []).map(({ name, failures }) => [
        name,
        failures ?? presetDefault('health.checks[].failures', preset),
      ]),
    ),
    ...(canaryGroup === undefined ? {} : { canaryGroup }),
    onHalt: spec.onHalt ?? presetDefault('onHalt', preset),
    newTarget: spec.newTarget ?? presetDefault('newTarget', preset),
    rollbackWindows: spec.rollback?.windows ?? presetDefault('rollback.windows', preset),
    windows: spec.windows ?? [],
    blackouts: spec.blackouts ?? [],
    pace: resolvePace(spec, preset),
    ladder: resolveLadder(spec, preset),
    maxAge: resolveMaxAge(spec),
    lastEndpoint: protect.lastEndpoint ?? presetDefault('protect.lastEndpoint', preset),
    unexpectedDriftPercent: parseIntOrPercent(
      protect.unexpectedDrift ?? presetDefault('protect.unexpectedDrift', preset),
    ).amount,
    finishWithinMs: parseAge(spec.finishWithin ?? presetDefault('finishWithin', preset)),
    ...(promotion === undefined ? {} : { promotion }),
    receivers: mode === 'Report' ? [] : (spec.notify ?? []),
  };
}

type WrittenWave = NonNullable<NodeRolloutPolicySpec['waves']>[number];

const resolveWave = (wave: WrittenWave, mode: RolloutSettings['mode']): WaveSettings => ({
  name: wave.name,
  nodes: parseIntOrPercent(wave.nodes),
  soakMs: wave.soak === undefined ? 0 : parseAge(wave.soak),
  needsApproval: wave.approval === 'Manual' || mode === 'Propose',
  ...(wave.prefer === undefined ? {} : { prefer: wave.prefer }),
});

type WrittenSignals = NonNullable<NonNullable<NodeRolloutPolicySpec['health']>['signals']>;

function resolveSignals(signals: WrittenSignals, preset: RolloutPresetName): SignalSettings {
  const { registration = {}, nodeReady = {}, lease = {}, nodeConditions = {}, podsReady = {} } = signals;
  return {
    registrationMs:
      registration.when === 'Ignore'
        ? undefined
        : parseAge(registration.within ?? presetDefault('health.signals.registration.within', preset)),
    notReadyMs:
      nodeReady.when === 'Ignore'
        ? undefined
        : parseAge(nodeReady.for ?? presetDefault('health.signals.nodeReady.for', preset)),
    leaseMs:
      lease.when === 'Ignore'
        ? undefined
        : parseAge(lease.olderThan ?? presetDefault('health.signals.lease.olderThan', preset)),
    nodeConditions:
      nodeConditions.when === 'Ignore'
        ? []
        : (nodeConditions.types ?? presetDefault('health.signals.nodeConditions.types', preset)),
    comparesStarts: signals.containerStarts?.compare !== 'Ignore',
    comparesRestarts: signals.restarts?.compare !== 'Ignore',
    podsReadyMs:
      podsReady.compare === 'Ignore'
        ? undefined
        : parseAge(podsReady.within ?? presetDefault('health.signals.podsReady.within', preset)),
  };
}

const resolvePace = ({ pace = {} }: NodeRolloutPolicySpec, preset: RolloutPresetName): PaceSettings => ({
  maxPerHour: pace.maxPerHour ?? presetDefault('pace.maxPerHour', preset),
  minIntervalMs: parseAge(pace.minInterval ?? presetDefault('pace.minInterval', preset)),
  maxSurge: pace.maxSurge ?? presetDefault('pace.maxSurge', preset),
  order: pace.order ?? presetDefault('pace.order', preset),
  slotMs: parseAge(pace.slot ?? presetDefault('pace.slot', preset)),
});

function resolveLadder({ blocked }: NodeRolloutPolicySpec, preset: RolloutPresetName): LadderSettings {
  const steps = blocked ?? presetDefault('blocked', preset);
  const afterMs = (step: 'Park' | 'Notify' | 'Force'): number | undefined => {
    const after = steps.find((each) => each.do === step)?.after;
    return after === undefined ? undefined : parseAge(after);
  };
  return { parkMs: afterMs('Park'), notifyMs: afterMs('Notify'), forceMs: afterMs('Force') };
}

function resolveMaxAge({ maxAge }: NodeRolloutPolicySpec): AgeSettings | undefined {
  if (maxAge === undefined) return undefined;
  const msOf = (age: string | undefined): number | undefined => (age === undefined ? undefined : parseAge(age));
  return { softMs: msOf(maxAge.soft), jitterMs: msOf(maxAge.jitter) ?? 0, hardMs: msOf(maxAge.hard) };
}

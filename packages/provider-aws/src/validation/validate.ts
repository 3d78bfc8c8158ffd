import { type EC2NodeClass, hours, minutes, type NodePool } from '@nodewright/apis';
import type { LookupPace, NodeClassPort } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { KubeletExpressions } from '../node-settings/kubelet-expressions.ts';
import { amiFamilyOfNodeClass } from '../node-settings/kubelet-settings.ts';
import type { InstanceTypes } from '../market/types/instance-types.ts';
import { forbiddenTag } from '../tags.ts';
import { kubeletProblems } from './kubelet-problems.ts';
import { listUnreadableFields } from './kubelet-structure.ts';
import { listDisabledExpressions, listInvalidExpressions, listUnsupportedFields } from './kubelet-support.ts';
import { type TrialDeps, tryLaunch } from './trial-launch.ts';
import type { TrialOutcome } from './trial-outcome.ts';
import { trialTenancy, trialType } from './trial-type.ts';

type ValidationVerdict = Awaited<ReturnType<NodeClassPort['validate']>>;

export type ValidationDeps = TrialDeps & {
  readonly types: Pick<InstanceTypes, 'list' | 'kubeletOf' | 'expressionComplaint'>;
  /** Absent where the gate `NodeClassCEL` is off. */
  readonly expressions: KubeletExpressions | undefined;
  /** Whether EC2 is asked; without it only what is known here is looked at. */
  readonly dryRun: boolean;
};

type LaunchCheck = {
  readonly nodeClass: EC2NodeClass;
  readonly pools: readonly NodePool[];
  /** [close] */
  readonly pace?: LookupPace | undefined;
};

const steadyVerdictMs = minutes(30);
const restingVerdictMs = hours(12);

/** Finds out what would make a launch fail, without launching. */
export class NodeClassValidation {
  readonly #deps: ValidationDeps;
  readonly #verdicts: ExpiringCache<ValidationVerdict>;

  constructor(deps: ValidationDeps) {
    this.#deps = deps;
    this.#verdicts = new ExpiringCache(deps.context.clock, restingVerdictMs, deps.context.freshness);
  }

  async validate(question: LaunchCheck, signal: AbortSignal): Promise<ValidationVerdict> {
    const { nodeClass } = question;
    if (await this.#lacksCidr(question, signal)) {
      return invalidVerdict(
        'ClusterCIDRResolutionFailed',
        'Failed to detect the cluster CIDR: EKS does not tell the service CIDR of the cluster',
      );
    }
    return (
      kubeletVerdict(nodeClass, this.#deps.expressions) ??
      (await this.#expressionVerdict(nodeClass, signal)) ??
      tagVerdict(nodeClass) ??
      this.#launchVerdict(question, signal)
    );
  }

  /** An expression has to give something of use for every type that EC2 sells. */
  async #expressionVerdict(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<ValidationVerdict | undefined> {
    const complaint = await this.#deps.types.expressionComplaint(nodeClass, signal);
    return complaint === undefined ? undefined : invalidVerdict('KubeletExpressionEvaluationFailed', complaint);
  }

  /** Forgets the verdicts of a NodeClass that is gone. */
  forget({ metadata }: EC2NodeClass): void {
    this.#verdicts.forgetKeys((key) => key.startsWith(prefixOf(metadata.name)));
  }

  async #lacksCidr({ nodeClass, pace }: LaunchCheck, signal: AbortSignal): Promise<boolean> {
    if (amiFamilyOfNodeClass(nodeClass) !== 'AL2023') return false;
    return (await this.#deps.cluster.access(signal, pace)).serviceCidr === undefined;
  }

  /** Both answers are remembered for half an hour, at rest for longer, unless the NodeClass changes or its annotations do. */
  async #launchVerdict(
    { nodeClass, pools, pace = 'close' }: LaunchCheck,
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    if (!this.#deps.dryRun) return { kind: 'valid' };
    const key = validationKeyOf(nodeClass);
    const known = this.#verdicts.get(key, pace === 'close' ? steadyVerdictMs : restingVerdictMs);
    if (known !== undefined) return known;
    const verdict = await this.#tried(nodeClass, pools, signal);
    const isPassing = verdict.kind === 'invalid' && verdict.reason === 'InstanceProfileNotFound';
    if (verdict.kind !== 'retry' && !isPassing) this.#verdicts.set(key, verdict);
    return verdict;
  }

  async #tried(nodeClass: EC2NodeClass, pools: readonly NodePool[], signal: AbortSignal): Promise<ValidationVerdict> {
    const chosen = trialType(nodeClass, pools, await this.#deps.types.list(nodeClass, signal));
    if (chosen === undefined) return { kind: 'valid' };
    try {
      const trial = { ...chosen, nodeClass, tenancy: trialTenancy(pools) };
      return verdictOfTrials(await tryLaunch(this.#deps, trial, signal), nodeClass);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return invalidVerdict('InvalidUserData', `spec.${error.message}`);
    }
  }
}

/** The first of the kubelet's checks that finds something, with all that it finds. */
function kubeletVerdict(
  nodeClass: EC2NodeClass,
  expressions: KubeletExpressions | undefined,
): ValidationVerdict | undefined {
  const { kubelet } = nodeClass.spec;
  const misread = listUnreadableFields(kubelet ?? {});
  for (const [reason, problems] of [
    ['InvalidKubeletConfiguration', misread.length > 0 ? misread : kubeletProblems(kubelet)],
    ['KubeletExpressionsDisabled', expressions === undefined ? listDisabledExpressions(kubelet) : []],
    ['KubeletExpressionInvalid', expressions === undefined ? [] : listInvalidExpressions(kubelet, expressions)],
    ['UnsupportedKubeletConfiguration', listUnsupportedFields(nodeClass)],
  ] as const) {
    if (problems.length > 0) return invalidVerdict(reason, problems.join('; '));
  }
  return undefined;
}

function tagVerdict(nodeClass: EC2NodeClass): ValidationVerdict | undefined {
  const tag = forbiddenTag(nodeClass);
  return tag === undefined
    ? undefined
    : invalidVerdict(
        'TagValidationFailed',
        `"${tag}" tag does not pass tag validation requirements: the controller sets it; take it out of spec.tags`,
      );
}

const prefixOf = (name: string): string => JSON.stringify([name]).slice(0, -1);

function validationKeyOf({ metadata, spec, status }: EC2NodeClass): string {
  const { subnets, securityGroups, amis, instanceProfile } = status ?? {};
  return JSON.stringify([metadata.name, metadata.annotations, spec, subnets, securityGroups, amis, instanceProfile]);
}

function verdictOfTrials(outcome: TrialOutcome, { spec }: EC2NodeClass): ValidationVerdict {
  switch (outcome.kind) {
    case 'permitted':
      return { kind: 'valid' };
    case 'unknown':
      return { kind: 'retry' };
    case 'unauthorized':
      return invalidVerdict(
        `${outcome.operation}AuthCheckFailed`,
        `Controller isn't authorized to call ec2:${outcome.operation}: ${outcome.message}`,
      );
    case 'profileUnknown':
      // A profile that was just made is not known everywhere at once.
      return spec.role === undefined
        ? invalidVerdict('InstanceProfileNotFound', profileMissing(spec, outcome.message))
        : { kind: 'retry' };
    case 'userDataTooLong':
      return invalidVerdict('UserDataSizeLimitExceeded', `spec.userData, with what is added to it: ${outcome.message}`);
  }
}

const profileMissing = ({ instanceProfile }: EC2NodeClass['spec'], message: string): string =>
  `spec.instanceProfile "${instanceProfile}": ${message}; create it, or name a role in spec.role instead`;

const invalidVerdict = (reason: string, message: string): ValidationVerdict => ({ kind: 'invalid', reason, message });

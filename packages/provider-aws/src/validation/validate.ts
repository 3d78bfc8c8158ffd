import type { EC2NodeClass } from '@nodewright/apis';
import type { NodeClassPort } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import type { Cluster } from '../control-plane/cluster.ts';
import { familyOf } from '../instance-types/kubelet-settings.ts';
import { forbiddenTag } from '../tags.ts';
import { dryRun, type DryRunOutcome } from './dry-run.ts';
import { kubeletProblems } from './kubelet-problems.ts';

type Verdict = Awaited<ReturnType<NodeClassPort['validate']>>;

/** Finds out what would make a launch fail, without launching. */
export class Validation {
  readonly #context: AwsContext;
  readonly #cluster: Cluster;
  readonly #verdicts: ExpiringCache<Verdict>;

  readonly #asks: boolean;

  /** @param asks whether EC2 is asked; without it only what is known here is looked at */
  constructor(context: AwsContext, cluster: Cluster, asks: boolean = true) {
    this.#context = context;
    this.#cluster = cluster;
    this.#asks = asks;
    this.#verdicts = new ExpiringCache(context.clock, 30 * 60_000);
  }

  async validate(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<Verdict> {
    const tag = forbiddenTag(nodeClass);
    if (tag !== undefined) {
      return invalid('TagValidationFailed', `tag ${tag} is set by the controller; take it out of spec.tags`);
    }
    const problems = kubeletProblems(nodeClass.spec.kubelet);
    if (problems.length > 0) return invalid('InvalidKubeletConfiguration', problems.join('; '));
    if (await this.#lacksCidr(nodeClass, signal)) {
      return invalid('ClusterCIDRResolutionFailed', 'EKS does not tell the service CIDR of the cluster');
    }
    return this.#asks ? this.#permission(nodeClass, signal) : { kind: 'valid' };
  }

  async #lacksCidr(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<boolean> {
    if (familyOf(nodeClass) !== 'AL2023') return false;
    return (await this.#cluster.access(signal)).serviceCidr === undefined;
  }

  /** Both answers are remembered for half an hour, unless the NodeClass changes or its annotations do. */
  async #permission(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<Verdict> {
    const key = keyOf(nodeClass);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const outcome = await dryRun(this.#context, nodeClass, signal);
    const verdict = verdictOf(outcome, nodeClass);
    if (verdict.kind !== 'retry' && !isProfile(outcome)) this.#verdicts.set(key, verdict);
    return verdict;
  }
}

function keyOf({ metadata, spec, status }: EC2NodeClass): string {
  const { subnets, securityGroups, amis, instanceProfile } = status ?? {};
  return JSON.stringify([metadata.name, metadata.annotations, spec, subnets, securityGroups, amis, instanceProfile]);
}

function verdictOf(outcome: DryRunOutcome, { spec }: EC2NodeClass): Verdict {
  if (outcome.kind === 'permitted') return { kind: 'valid' };
  if (outcome.kind === 'unknown') return { kind: 'retry' };
  const { code, message } = outcome;
  if (code === 'UnauthorizedOperation') {
    return invalid('RunInstancesAuthCheckFailed', `Controller isn't authorized to call ec2:RunInstances: ${message}`);
  }
  // A profile that was just made is not known everywhere at once.
  if (isProfile(outcome))
    return spec.role === undefined
      ? invalid('InstanceProfileNotFound', profileMissing(spec, message))
      : { kind: 'retry' };
  // Anything else is about the type or image that was tried; a launch tries others.
  return { kind: 'valid' };
}

const isProfile = (outcome: DryRunOutcome): boolean =>
  outcome.kind === 'refused' &&
  outcome.code === 'InvalidParameterValue' &&
  /iam ?instance ?profile/i.test(outcome.message);

const profileMissing = ({ instanceProfile }: EC2NodeClass['spec'], message: string): string =>
  `spec.instanceProfile "${instanceProfile}": ${message}; create it, or name a role in spec.role instead`;

const invalid = (reason: string, message: string): Verdict => ({ kind: 'invalid', reason, message });

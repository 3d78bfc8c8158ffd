import { labelSelectorPredicate, type Pod } from '@nodewright/apis';
import type { BootedMachine, MachineBehavior, NodeBehavior } from '@nodewright/aws-endpoints';
import type { Random } from '@nodewright/runtime';

type BehavingMachine = Pick<BootedMachine, 'behaviors'>;

/** Decides which pods with a network of their own fail on a node that fails containers. */
const failingShare = 0.5;

/** Behaviors add up, in their order; `healthy` ends those before it. */
export const combineBehaviors = (all: readonly MachineBehavior[]): readonly MachineBehavior[] =>
  all.slice(all.findLastIndex(({ behavior }) => behavior === 'healthy') + 1);

export const hasBehavior = ({ behaviors }: BehavingMachine, wanted: NodeBehavior): boolean =>
  behaviors.some(({ behavior }) => behavior === wanted);

/** Whether the containers of a pod fail to start: those of every pod that a selector names, and else of some, by chance. */
export function failsContainers({ behaviors }: BehavingMachine, pod: Pod, chance: Random): boolean {
  const failing = behaviors.filter(({ behavior }) => behavior === 'containersFail');
  return failing.some(({ pods }) => (pods === undefined ? failsByChance(pod, chance) : hasLabels(pod, pods)));
}

const failsByChance = ({ spec }: Pod, chance: Random): boolean =>
  spec.hostNetwork !== true && chance.next() < failingShare;

const hasLabels = ({ metadata }: Pod, matchLabels: Readonly<Record<string, string>>): boolean =>
  labelSelectorPredicate({ matchLabels })(metadata.labels ?? {});

import { byTextOf, type Deployment, inOrder, labelSelectorPredicate, type Pod } from '@nodewright/apis';
import { operatorScheduler } from './manifests.ts';

export type OperatorPodsSnapshot = {
  readonly deployment: Deployment | undefined;
  /** All pods of its namespace. */
  readonly pods: readonly Pod[];
  /** The uid of the pod whose settings the operator runs with. */
  readonly leader: string | undefined;
};

export type OperatorPodsPlan = {
  /** Whether pods of the Deployment have to be kept from the scheduler, who would look for a node. */
  readonly takeFromScheduler: boolean;
  /** Pods that begin to run. */
  readonly begin: readonly Pod[];
  /** The pod that leads from now on; `undefined` when none can. */
  readonly leader: Pod | undefined;
};

/** A leader stays the leader as long as its pod is there; after that it is the newest pod that runs. */
export function planOperatorPods({ deployment, pods, leader }: OperatorPodsSnapshot): OperatorPodsPlan {
  if (deployment === undefined) return { takeFromScheduler: false, begin: [], leader: undefined };
  const isOne = labelSelectorPredicate(deployment.spec.selector);
  const own = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined && isOne(metadata.labels ?? {}));
  const running = own.filter(isLeadingReady).toSorted(olderPodsFirst);
  return {
    takeFromScheduler: deployment.spec.template.spec.schedulerName !== operatorScheduler,
    begin: own.filter(({ spec, status }) => spec.schedulerName === operatorScheduler && status?.phase !== 'Running'),
    leader: running.find(({ metadata }) => metadata.uid === leader) ?? running.at(-1),
  };
}

const isLeadingReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

const olderPodsFirst = inOrder<Pod>(
  byTextOf(({ metadata }) => metadata.creationTimestamp ?? ''),
  byTextOf(({ metadata }) => metadata.name),
);

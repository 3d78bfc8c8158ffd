import type { NodeRollout, NodeRolloutStatus } from '@nodewright/apis';
import type { Controller, KubernetesClient, WebClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { Objects } from '../../state/objects.ts';
import type { UpstreamRecords } from '../../state/upstream-records.ts';
import { rolloutPromotionReconciler } from './reconciler.ts';

export type PromotionSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly upstream: UpstreamRecords;
  readonly clusterName: string;
};

/** `rolloutpromotion` wakes a policy that changes, and one whose rollout begins or ends a wave, halts or ends. */
export function startRolloutPromotion(host: ControllerHost, sources: PromotionSources): Controller {
  const { objects } = sources;
  const controller = startNamed(
    host,
    'rolloutpromotion',
    (turn) => rolloutPromotionReconciler({ ...turn, ...sources }),
    { workers: 1 },
  );
  wakeOnChange(objects.rolloutPolicies, [[controller, ownName]], isAnotherGeneration);
  wakeOnChange(objects.rollouts, [[controller, ({ spec }) => [spec.policy]]], isAnotherRolloutStage);
  return controller;
}

const isAnotherRolloutStage = (before: NodeRollout | undefined, after: NodeRollout | undefined): boolean =>
  !isEqualDiffValue(stageOfRollout(before?.status), stageOfRollout(after?.status));

const stageOfRollout = ({ state, halted, waves = [], endedAt }: NodeRolloutStatus = {}) => ({
  isComplete: state === 'Complete',
  endedAt,
  halted: halted?.at,
  waves: waves.map((wave) => [wave.startedAt, wave.endedAt]),
});
